import { unreachable, withoutProviderKey } from '@outdial/kernel';
import type { MindComponent, ProviderFailure, ProviderFailureKind } from './mind.ts';
import type { SocketEnd } from './sockets.ts';

const MAX_MESSAGE_LENGTH = 300;
const MAX_RETRY_AFTER_SECONDS = 3_600;

export interface FailureDetails {
  /** Seconds, as the provider's header has them. A date is ignored. */
  readonly retryAfter?: string | null;
  readonly blamesRequest?: boolean;
}

/**
 * A failure for the log. Providers quote the key that they reject, whole or in part, so what looks like one is removed
 * beside the credential itself.
 */
export function providerFailure(
  input: FailureDetails & {
    readonly component: MindComponent;
    readonly kind: ProviderFailureKind;
    readonly message: string;
    readonly credential: string;
  },
): ProviderFailure {
  const { component, kind, message, credential, retryAfter = null, blamesRequest = false } = input;
  const seconds = retryAfter === null || !/^\d{1,6}(?:\.\d{1,9})?$/.test(retryAfter) ? null : Number(retryAfter);
  const text = withoutProviderKey(message, credential);
  return {
    component,
    kind,
    message: text.slice(0, MAX_MESSAGE_LENGTH),
    retryAfterMs: seconds === null ? null : Math.ceil(Math.min(seconds, MAX_RETRY_AFTER_SECONDS) * 1_000),
    ...(blamesRequest ? { blamesRequest } : {}),
  };
}

/** Close codes for what the provider was sent (RFC 6455 section 7.4.1): protocol, type, encoding, policy, size, extension. */
const CODES_OF_REQUEST: ReadonlySet<number> = new Set([1_002, 1_003, 1_007, 1_008, 1_009, 1_010]);
/** From here on codes are an application's own (RFC 6455 section 7.4.2): we cannot know whose fault they mean. */
const FIRST_OWN_CODE = 3_000;

/** Whether a provider closed the socket for what it was sent. */
export function endBlamesRequest(end: SocketEnd): boolean {
  return end.kind === 'closed' && (CODES_OF_REQUEST.has(end.code) || end.code >= FIRST_OWN_CODE);
}

const OWN_TROUBLE = /\b5\d\d\b|internal|server|unavailable|overload|capacity|timed?[_ -]?out|\bnet-/i;

/** Whether the code of an error is one for the request. A provider names its own trouble, as `server_error` does. */
export function codeBlamesRequest(code: string): boolean {
  return !OWN_TROUBLE.test(code);
}

/** What the end of a socket says about the provider. `before`: the settings were not accepted yet. */
export function kindOfEnd(end: SocketEnd, before: boolean): ProviderFailureKind {
  switch (end.kind) {
    case 'stalled':
      return 'stalled';
    case 'flooded':
      return 'invalid_response';
    case 'forbidden':
      return 'rejected';
    case 'unreachable':
      return 'unreachable';
    case 'closed':
      if (!before) return 'dropped';
      return endBlamesRequest(end) ? 'rejected' : 'unreachable';
    case 'refused':
      if (end.status === 429) return 'rate_limited';
      return end.status >= 500 || end.status < 400 ? 'unreachable' : 'rejected';
    default:
      return unreachable(end);
  }
}

export function messageOfEnd(end: SocketEnd): string {
  switch (end.kind) {
    case 'stalled':
      return 'the provider no longer takes sound';
    case 'flooded':
      return 'the provider sends too much';
    case 'unreachable':
    case 'forbidden':
      return end.message;
    case 'closed':
      return `the connection closed with ${end.code}${end.reason === '' ? '' : `: ${end.reason}`}`;
    case 'refused':
      return `HTTP ${end.status}: ${end.body}`;
    default:
      return unreachable(end);
  }
}
