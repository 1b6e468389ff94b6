import type { DialogDescription } from '../dialog/description.ts';
import type { Credentials } from '../digest/authorizer.ts';
import { InvalidHeaderError, Headers } from '../syntax/headers.ts';
import { parseSipUri, type SipUri } from '../syntax/uri.ts';
import type { LocalAudio } from '../sdp/audio-negotiation.ts';

/**
 * Whether this target of the trunk may be tried. `stay`: not now, and what the last one said stands. `stop`: the right to
 * the call is over.
 */
export type AttemptDecision = 'go' | 'stay' | 'stop';

/** One call to be placed. */
export interface CallRequest {
  /** Stored in the description, so that whoever ends the call knows the trunk. */
  readonly trunk: string;
  /** `sip:+12025550100@trunk.example`; its `transport` parameter counts. */
  readonly target: string;
  readonly from: { readonly uri: string; readonly displayName?: string };
  readonly credentials?: Credentials;
  /** Where everything is sent instead: a SIP URI, put as a loose route. */
  readonly outboundProxy?: string;
  /** Put on every INVITE, such as P-Asserted-Identity. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly audio: LocalAudio;
  /** From the INVITE on. It is also told to the network, as Expires, for the case that nobody is left to cancel. */
  readonly ringTimeoutMs: number;
  /** Session-Expires, at least 90 s. 1,800 s if not given. */
  readonly sessionSeconds?: number;
  /**
   * Asked in the same tick in which an INVITE's first byte is written, and again before every further INVITE: to the
   * next target, after a challenge, after 422. False: nothing is sent.
   */
  readonly mayDial: () => boolean;
  /** Asked after `mayDial` said no: whether it may say something else now. Never rejects. Without it, it may not. */
  readonly awaitDialPermit?: () => Promise<boolean>;
  /**
   * Asked before anything is sent to a target, the first and each other that the same name led to. The caller writes down
   * first what is to be sent where: without it nobody could cancel the call of a process that dies, and by what was stored
   * for the target before, the CANCEL would go to the wrong place. Never rejects. Without it the first target is tried
   * and no other.
   */
  readonly beginAttempt?: (description: DialogDescription) => Promise<AttemptDecision>;
  /**
   * Resolves once every description that was told so far is stored. Waited for before a further INVITE to the same
   * target, and before the ACK to an answer: a far end that has none gives the call up by itself. Never rejects. Without
   * it nothing is waited for.
   */
  readonly recorded?: () => Promise<void>;
}

/** Thrown at whoever asks for a call that cannot be written as SIP. The message names the field. */
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
    if (parsed === undefined) throw new CallRequestError(`${field} is no SIP URI: write it as sip:user@host.`);
    return parsed;
  };
  if (!(ringTimeoutMs > 0)) throw new CallRequestError('ringTimeoutMs must be more than 0.');
  if (!Number.isInteger(sessionSeconds) || sessionSeconds < 90) {
    throw new CallRequestError('sessionSeconds must be a whole number from 90 on (RFC 4028).');
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
