import { TimerSet, type Clock } from '../clock.ts';
import { readSessionExpires } from '../syntax/field-values.ts';
import type { Headers } from '../syntax/headers.ts';

/** RFC 4028 section 4: nobody may demand less. */
export const MIN_SESSION_SECONDS = 90;

export interface SessionTimerTerms {
  readonly intervalSeconds: number;
  /** Whether it is us who keep the session alive. */
  readonly weRefresh: boolean;
}

/** Ends a session that nobody keeps alive, and says when it is our turn to (RFC 4028). */
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

  /** Null while no session timer was agreed on. */
  get intervalSeconds(): number | null {
    return this.#intervalSeconds;
  }

  /** Begins a new interval; undefined, from a far end that wants none, ends it. */
  start(terms: SessionTimerTerms | undefined): void {
    this.stop();
    if (terms === undefined) return;
    const { intervalSeconds, weRefresh } = terms;
    this.#intervalSeconds = intervalSeconds;
    if (weRefresh) this.#timers.start('refresh', (intervalSeconds * 1000) / 2, this.#onRefresh);
    // A little before the end, so that both sides agree that it was the end (section 10).
    const graceSeconds = Math.min(32, intervalSeconds / 3);
    this.#timers.start('expire', (intervalSeconds - graceSeconds) * 1000, this.#onExpired);
  }

  /** A refresh did not succeed; the end of the session stays where it is. */
  retryAfter(delayMs: number): void {
    this.#timers.start('refresh', delayMs, this.#onRefresh);
  }

  stop(): void {
    this.#timers.cancelAll();
    this.#intervalSeconds = null;
  }
}

/** What a 2xx to our request has settled (section 7.2). */
export function termsOfResponse(headers: Headers): SessionTimerTerms | undefined {
  const expires = readSessionExpires(headers);
  if (expires === undefined || expires.intervalSeconds < 1) return undefined;
  return { intervalSeconds: expires.intervalSeconds, weRefresh: expires.refresher !== 'uas' };
}

export type SessionTimerAnswer =
  | { readonly kind: 'none' }
  /** To be refused with 422 and Min-SE. */
  | { readonly kind: 'too_small' }
  | {
      readonly kind: 'agreed';
      readonly terms: SessionTimerTerms;
      readonly headers: readonly (readonly [name: string, value: string])[];
    };

/**
 * What we settle as the server of an INVITE or UPDATE (section 9). Where the request says nothing, the interval that
 * held before goes on with us as the refresher: a hold must not turn an unbounded call loose.
 */
export function answerSessionTimer(headers: Headers, currentSeconds: number | null = null): SessionTimerAnswer {
  const expires = readSessionExpires(headers);
  if (expires === undefined) return currentSeconds === null ? { kind: 'none' } : agreed(currentSeconds, 'uas');
  const peerKnowsTimers = headers.lists('supported', 'timer') || headers.lists('require', 'timer');
  const { intervalSeconds } = expires;
  // A peer that has not heard of 422 would take it for a refusal of the call.
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
