import { systemClock, type Clock } from '@outdial/kernel';

export interface HurriedClock extends Clock {
  /** Timers that have neither fired nor been cancelled. */
  pendingTimers(): number;
}

/** An accelerated clock, for SIP timers of half a minute. */
export function hurriedClock(times: number): HurriedClock {
  const pending = new Set<object>();
  return {
    nowMs: () => systemClock.nowMs(),
    monotonicMs: () => systemClock.monotonicMs() * times,
    after(delayMs, run) {
      const key = {};
      pending.add(key);
      const timer = systemClock.after(delayMs / times, () => {
        pending.delete(key);
        run();
      });
      return {
        cancel() {
          pending.delete(key);
          timer.cancel();
        },
      };
    },
    pendingTimers: () => pending.size,
  };
}
