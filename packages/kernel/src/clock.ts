/** A pending timer. `cancel` is idempotent and has no effect once the timer has fired. */
export interface Timer {
  cancel(): void;
}

/**
 * Time as the product sees it. Passed in everywhere, so that tests control it.
 *
 * `nowMs` is the wall clock and may step. `monotonicMs` never goes back; deadlines and durations use it. Its zero is
 * arbitrary, so its values must not leave the process.
 */
export interface Clock {
  nowMs(): number;
  monotonicMs(): number;
  /** Runs `callback` once after `delayMs`. Does not keep the process alive. */
  after(delayMs: number, callback: () => void): Timer;
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(delayMs, callback) {
    // setTimeout fires at once for anything above 2^31-1 ms, which would end a long wait as soon as it begins.
    const timer = setTimeout(callback, Math.min(Math.max(0, delayMs), 0x7fffffff));
    timer.unref();
    return {
      cancel() {
        clearTimeout(timer);
      },
    };
  },
};

/** Resolves after `delayMs`, or at once when `signal` aborts. Never rejects: the caller checks the signal. */
export function pause(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      timer.cancel();
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = clock.after(delayMs, done);
    signal?.addEventListener('abort', done, { once: true });
  });
}
