import type { Clock } from '@outdial/kernel';
import type { StopTime } from './protocol.ts';

/** How the main thread tells a moment of its monotonic clock. */
export function stopTimeOf(clock: Clock, mustStopAtMs: number): StopTime {
  const remainingMs = Math.max(0, mustStopAtMs - clock.monotonicMs());
  return { remainingMs, wallMs: clock.nowMs() + remainingMs };
}

/** The main thread looks at its leases and tells of rights once a second each, and waits 5 s for Postgres's answer. */
const LONGEST_DOUBT_MS = 8_000;

/**
 * Until when a call may talk, kept where it talks: a main thread that is blocked or dead renews nothing, and whoever
 * takes the call over must not meet a voice that goes on.
 */
export class TalkLimit {
  readonly #clock: Clock;
  #untilMs = 0;
  #untilWallMs = 0;
  #doubtfulSinceMs: number | null = null;

  constructor(clock: Clock, stopTime: StopTime) {
    this.#clock = clock;
    this.renew(stopTime);
  }

  renew(stopTime: StopTime): void {
    this.#untilMs = this.#clock.monotonicMs() + stopTime.remainingMs;
    this.#untilWallMs = stopTime.wallMs;
  }

  /**
   * The monotonic clock decides, but it stands still while a machine sleeps. If the wall clock alone says that the limit
   * has passed, either the machine slept, and the call may be somebody else's, or somebody set the clock: the call is to
   * be silent until the main thread, which asks Postgres, has renewed the right or ended it.
   */
  check(): 'talk' | 'be_silent' | 'stop' {
    const nowMs = this.#clock.monotonicMs();
    if (nowMs >= this.#untilMs) return 'stop';
    if (this.#clock.nowMs() < this.#untilWallMs) {
      this.#doubtfulSinceMs = null;
      return 'talk';
    }
    this.#doubtfulSinceMs ??= nowMs;
    return nowMs - this.#doubtfulSinceMs < LONGEST_DOUBT_MS ? 'be_silent' : 'stop';
  }
}
