import type { Clock, Timer } from '@outdial/kernel';

/** A clock that stands still until a test advances it. */
export interface FakeClock extends Clock {
  /**
   * Moves both clocks forward and fires due timers, in order and each at its own time. Settles pending promises
   * before each timer and at the end, so that a chain of timers completes in one call.
   */
  advance(durationMs: number): Promise<void>;
  /** Steps only the wall clock, forward or back, as an NTP correction does. */
  stepWallClock(byMs: number): void;
  pendingTimers(): number;
}

interface PendingTimer {
  readonly dueMs: number;
  readonly callback: () => void;
}

/** Starts at 2026-01-01T00:00:00Z by default; the monotonic clock starts at 0. */
export function fakeClock(startMs: number = Date.UTC(2026, 0, 1)): FakeClock {
  let wallOffsetMs = startMs;
  let monotonicMs = 0;
  // In order of creation, which breaks ties between timers due at the same time.
  const timers = new Set<PendingTimer>();

  const after = (delayMs: number, callback: () => void): Timer => {
    const timer = { dueMs: monotonicMs + Math.max(0, delayMs), callback };
    timers.add(timer);
    return { cancel: () => void timers.delete(timer) };
  };

  const advance = async (durationMs: number) => {
    const endMs = monotonicMs + durationMs;
    await settle();
    for (let next = earliest(timers); next && next.dueMs <= endMs; next = earliest(timers)) {
      timers.delete(next);
      monotonicMs = Math.max(monotonicMs, next.dueMs);
      next.callback();
      await settle();
    }
    monotonicMs = endMs;
  };

  return {
    nowMs: () => wallOffsetMs + monotonicMs,
    monotonicMs: () => monotonicMs,
    after,
    advance,
    stepWallClock: (byMs) => (wallOffsetMs += byMs),
    pendingTimers: () => timers.size,
  };
}

function earliest(timers: ReadonlySet<PendingTimer>): PendingTimer | undefined {
  let found: PendingTimer | undefined;
  for (const timer of timers) if (!found || timer.dueMs < found.dueMs) found = timer;
  return found;
}

/** One turn of the event loop, in which all settled promises continue. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
