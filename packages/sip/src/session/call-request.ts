import type { DialogDescription } from '../dialog/description.ts';
import type { Credentials } from '../digest/authorizer.ts';
import { InvalidHeaderError, Headers } from '../syntax/headers.ts';
import { parseSipUri, type SipUri } from '../syntax/uri.ts';
import type { LocalAudio } from '../sdp/audio-negotiation.ts';

/**
 * Whether this target of the trunk may be tried.
 * - `stay`: not now; the result of the last target stands.
 * - `stop`: this process no longer has the right to the call.
 */
export type AttemptDecision = 'go' | 'stay' | 'stop';

/** One outgoing call. */
export interface CallRequest {
  /** Stored in the description, so that the process that ends the call knows the trunk. */
  readonly trunk: string;
  /** `sip:+12025550100@trunk.example`; its `transport` parameter counts. */
  readonly target: string;
  readonly from: { readonly uri: string; readonly displayName?: string };
  readonly credentials?: Credentials;
  /** A SIP URI to which every request is sent instead, as a loose route. */
  readonly outboundProxy?: string;
  /** Added to every INVITE, such as P-Asserted-Identity. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly audio: LocalAudio;
  /** Counted from the INVITE. The INVITE carries it as Expires too, in case this process dies before it can cancel. */
  readonly ringTimeoutMs: number;
  /** Session-Expires, at least 90 s. Default: 1,800 s. */
  readonly sessionSeconds?: number;
  /**
   * Called in the same tick in which an INVITE's first byte is written, and again before every further INVITE: to the
   * next target, after a challenge, after 422. If it returns false, no INVITE is sent.
   */
  readonly mayDial: () => boolean;
  /**
   * Called after `mayDial` returned false: resolves with true if the right to dial was regained. Never rejects. Without
   * it, the call is not dialed.
   */
  readonly awaitDialPermit?: () => Promise<boolean>;
  /**
   * Called before anything is sent to a target: the first one, and each further one that the same name leads to. The
   * caller first stores what is to be sent where. Otherwise no process could cancel the call when this one dies, or the
   * CANCEL would go to the previous target. Never rejects. Without it, only the first target is tried.
   */
  readonly beginAttempt?: (description: DialogDescription) => Promise<AttemptDecision>;
  /**
   * Resolves once every description reported so far is stored. The session awaits it before a further INVITE to the
   * same target, and before the ACK to an answer: a far end that receives no ACK ends the call by itself. Never
   * rejects. Without it, nothing is awaited.
   */
  readonly recorded?: () => Promise<void>;
}

/** Thrown for a call request that cannot be written as SIP. The message names the field. */
export class CallRequestError extends Error {
  override readonly name = 'CallRequestError';
}

export interface CheckedCallRequest extends CallRequest {
  readonly targetUri: SipUri;
  readonly fromUri: SipUri;
  readonly proxyUri: SipUri | undefined;
}

export function checkCallRequest(request: CallRequest): CheckedCallRequest {
  const { target, from, outboundProxy, headers = {}, ringTimeoutMs, sessionSeconds = 1_800 } = request;
  const uri = (field: string, text: string) => {
    const parsed = parseSipUri(text);
    if (parsed === undefined) throw new CallRequestError(`${field} is not a SIP URI: write it as sip:user@host.`);
    return parsed;
  };
  if (!(ringTimeoutMs > 0)) throw new CallRequestError('ringTimeoutMs must be more than 0.');
  if (!Number.isInteger(sessionSeconds) || sessionSeconds < 90) {
    throw new CallRequestError('sessionSeconds must be a whole number of at least 90 (RFC 4028).');
  }
  try {
    // oxlint-disable-next-line no-new -- it is the check
    new Headers([...Object.entries(headers), ['from', from.displayName ?? '']]);
  } catch (error) {
    if (error instanceof InvalidHeaderError) throw new CallRequestError(error.message);
    throw error;
  }
  return {
    ...request,
    targetUri: uri('target', target),
    fromUri: uri('from.uri', from.uri),
    proxyUri: outboundProxy === undefined ? undefined : uri('outboundProxy', outboundProxy),
  };
}
