import type { Clock } from '@outdial/kernel';
import type { StopTime } from './protocol.ts';

/** Translates a moment of the main thread's monotonic clock for another thread. */
export function stopTimeOf(clock: Clock, mustStopAtMs: number): StopTime {
  const remainingMs = Math.max(0, mustStopAtMs - clock.monotonicMs());
  return { remainingMs, wallMs: clock.nowMs() + remainingMs };
}

/** The main thread checks its leases and reports rights once a second each, and waits 5 s for Postgres. */
const MAX_DOUBT_MS = 8_000;

/**
 * The end of a call's right to talk, enforced where it talks. A main thread that is blocked or dead renews nothing, and
 * the worker that takes over the call must not meet a voice that goes on.
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
   * The monotonic clock decides, but it stops while a machine sleeps. If only the wall clock says that the limit has
   * passed, either the machine slept and another worker may own the call, or the clock was set. Then the call must be
   * silent until the main thread, which asks Postgres, has renewed the right or ended it.
   */
  check(): 'talk' | 'be_silent' | 'stop' {
    const nowMs = this.#clock.monotonicMs();
    if (nowMs >= this.#untilMs) return 'stop';
    if (this.#clock.nowMs() < this.#untilWallMs) {
      this.#doubtfulSinceMs = null;
      return 'talk';
    }
    this.#doubtfulSinceMs ??= nowMs;
    return nowMs - this.#doubtfulSinceMs < MAX_DOUBT_MS ? 'be_silent' : 'stop';
  }
}
