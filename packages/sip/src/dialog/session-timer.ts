import { TimerSet, type Clock } from '../clock.ts';
import { readSessionExpires } from '../syntax/field-values.ts';
import type { Headers } from '../syntax/headers.ts';

/** RFC 4028 section 4: the lowest interval that a peer may demand. */
export const MIN_SESSION_SECONDS = 90;

export interface SessionTimerTerms {
  readonly intervalSeconds: number;
  /** Whether we are the refresher. */
  readonly weRefresh: boolean;
}

/** Ends a session that no side refreshes, and signals when our refresh is due (RFC 4028). */
export class SessionTimer {
  readonly #timers: TimerSet<'refresh' | 'expire'>;
  readonly #onRefresh: () => void;
  readonly #onExpired: () => void;
  #intervalSeconds: number | null = null;

  constructor(clock: Clock, on: { readonly refresh: () => void; readonly expired: () => void }) {
    this.#timers = new TimerSet(clock);
    this.#onRefresh = on.refresh;
    this.#onExpired = on.expired;
  }

  /** Null while no session timer is agreed on. */
  get intervalSeconds(): number | null {
    return this.#intervalSeconds;
  }

  /** Starts a new interval. Undefined, when the far end wants no timer, stops it. */
  start(terms: SessionTimerTerms | undefined): void {
    this.stop();
    if (terms === undefined) return;
    const { intervalSeconds, weRefresh } = terms;
    this.#intervalSeconds = intervalSeconds;
    if (weRefresh) this.#timers.start('refresh', (intervalSeconds * 1000) / 2, this.#onRefresh);
    // A little before the end, so that both sides agree that the session expired (section 10).
    const graceSeconds = Math.min(32, intervalSeconds / 3);
    this.#timers.start('expire', (intervalSeconds - graceSeconds) * 1000, this.#onExpired);
  }

  /** A refresh failed; the session's expiry stays where it is. */
  retryAfter(delayMs: number): void {
    this.#timers.start('refresh', delayMs, this.#onRefresh);
  }

  stop(): void {
    this.#timers.cancelAll();
    this.#intervalSeconds = null;
  }
}

/** The terms that a 2xx to our request settles (section 7.2). */
export function termsOfResponse(headers: Headers): SessionTimerTerms | undefined {
  const expires = readSessionExpires(headers);
  if (expires === undefined || expires.intervalSeconds < 1) return undefined;
  return { intervalSeconds: expires.intervalSeconds, weRefresh: expires.refresher !== 'uas' };
}

export type SessionTimerAnswer =
  | { readonly kind: 'none' }
  /** Reject with 422 and Min-SE. */
  | { readonly kind: 'too_small' }
  | {
      readonly kind: 'agreed';
      readonly terms: SessionTimerTerms;
      readonly headers: readonly (readonly [name: string, value: string])[];
    };

/**
 * The terms that we settle as the server of an INVITE or UPDATE (section 9). Where the request has none, the current
 * interval continues with us as the refresher: otherwise a hold would remove the limit from the call.
 */
export function answerSessionTimer(headers: Headers, currentSeconds: number | null = null): SessionTimerAnswer {
  const expires = readSessionExpires(headers);
  if (expires === undefined) return currentSeconds === null ? { kind: 'none' } : agreed(currentSeconds, 'uas');
  const peerKnowsTimers = headers.lists('supported', 'timer') || headers.lists('require', 'timer');
  const { intervalSeconds } = expires;
  // A peer that does not support 422 would take it for a rejection of the call.
  if (intervalSeconds < MIN_SESSION_SECONDS) return { kind: peerKnowsTimers ? 'too_small' : 'none' };
  const refresher = peerKnowsTimers ? (expires.refresher ?? 'uac') : 'uas';
  return agreed(intervalSeconds, refresher);
}

function agreed(intervalSeconds: number, refresher: 'uac' | 'uas'): SessionTimerAnswer {
  const value = ['session-expires', `${intervalSeconds};refresher=${refresher}`] as const;
  return {
    kind: 'agreed',
    terms: { intervalSeconds, weRefresh: refresher === 'uas' },
    headers: refresher === 'uac' ? [['require', 'timer'], value] : [value],
  };
}
