import type { EgressErrorCode } from '@outdial/egress';
import { unreachable } from '@outdial/kernel';
import type { AttemptError, AttemptVerdict, ClaimedDelivery } from '../ports/webhook-store.ts';
import { parseRetryAfter } from './retry-after.ts';
import { delayAfter, TRIES } from './schedule.ts';

/** What came of an attempt. */
export type AttemptOutcome =
  | { readonly kind: 'response'; readonly status: number; readonly retryAfter: string | undefined }
  | { readonly kind: 'error'; readonly error: AttemptError };

export interface JudgedAttempt extends Pick<ClaimedDelivery, 'kind' | 'triesLeft'> {
  readonly nowMs: number;
  /** From 0 to 1. */
  readonly random: number;
}

const GONE = 410;
/** The receiver, or what stands before it, has too much to do: all of its lane waits. */
const BUSY: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const BUSY_DELAY_MS = 5_000;

export function judge(outcome: AttemptOutcome, { kind, triesLeft, nowMs, random }: JudgedAttempt): AttemptVerdict {
  if (outcome.kind === 'response') {
    if (isSuccess(outcome.status)) return { kind: 'delivered' };
    if (outcome.status === GONE) return { kind: 'gone' };
  }
  const laneDelayMs = laneDelayOf(outcome, nowMs);
  // The store ends what has no try left. A resend during the last try has given it all of them again.
  const tries = triesLeft > 0 ? TRIES[kind] - triesLeft : 1;
  return { kind: 'retry', dueInMs: delayAfter(tries, random), laneDelayMs };
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function laneDelayOf(outcome: AttemptOutcome, nowMs: number): number {
  if (outcome.kind === 'error' || !BUSY.has(outcome.status)) return 0;
  return parseRetryAfter(outcome.retryAfter, nowMs) ?? BUSY_DELAY_MS;
}

/** What the log of deliveries says about a request without a response. */
export function attemptErrorOf(code: EgressErrorCode): AttemptError {
  switch (code) {
    case 'url_not_allowed':
    case 'address_not_allowed':
      return 'refused_address';
    case 'name_not_found':
      return 'dns';
    case 'connect_failed':
      return 'connect';
    case 'tls_failed':
      return 'tls';
    case 'redirected':
    // Headers beyond the client's limit are among what is not valid HTTP.
    case 'connection_lost':
    case 'invalid_response':
      return 'reset';
    // The sender gives up on its own requests only when it stops.
    case 'timed_out':
    case 'aborted':
      return 'timeout';
    default:
      return unreachable(code);
  }
}
