import { unreachable } from '@outdial/kernel';
import type { MindComponent, ProviderFailure, ProviderFailureKind } from './mind.ts';
import type { SocketEnd } from './sockets.ts';

const MAX_MESSAGE_LENGTH = 300;
const MAX_RETRY_AFTER_SECONDS = 3_600;

/**
 * A failure for the log. Providers quote the key that they reject, whole or in part, so what looks like one is removed
 * beside the credential itself.
 */
export function providerFailure(input: {
  readonly component: MindComponent;
  readonly kind: ProviderFailureKind;
  readonly message: string;
  readonly credential: string;
  readonly retryAfter?: string | null;
}): ProviderFailure {
  const { component, kind, message, credential, retryAfter = null } = input;
  const seconds = retryAfter === null || !/^\d{1,6}$/.test(retryAfter) ? null : Number(retryAfter);
  const text = withoutKey(message, credential);
  return {
    component,
    kind,
    message: text.slice(0, MAX_MESSAGE_LENGTH),
    retryAfterMs: seconds === null ? null : Math.min(seconds, MAX_RETRY_AFTER_SECONDS) * 1_000,
  };
}

/** Of a shorter key a beginning is any word. */
const MIN_LENGTH_TO_QUOTE = 12;
const QUOTED_LENGTH = 6;

/** Without the key, whole, by its beginning, masked as in `7f3a9c21****91bc`, or anything that looks like a key. */
function withoutKey(message: string, credential: string): string {
  const whole = credential === '' ? message : message.replaceAll(credential, '[key]');
  const begin = credential.length < MIN_LENGTH_TO_QUOTE ? null : credential.slice(0, QUOTED_LENGTH);
  const [first = '', ...rest] = begin === null ? [whole] : whole.split(begin);
  const cut = [first, ...rest.map((after) => `[key]${after.replace(/^[\w*.…-]*/, '')}`)].join('');
  return cut.replaceAll(/[\w-]*[*•]{3,}[\w-]*/g, '[key]').replaceAll(/\b(?:sk|key|rk)[-_][\w*.-]{4,}/gi, '[key]');
}

/** What the end of a socket says about the provider. `before`: the settings were not accepted yet. */
export function kindOfEnd(end: SocketEnd, before: boolean): ProviderFailureKind {
  switch (end.kind) {
    case 'stalled':
      return 'stalled';
    case 'forbidden':
      return 'rejected';
    case 'unreachable':
      return 'unreachable';
    case 'closed':
      return before ? 'unreachable' : 'dropped';
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
