import { systemClock, type Clock } from '@outdial/kernel';

export interface HurriedClock extends Clock {
  /** Timers that have neither fired nor been cancelled. */
  pendingTimers(): number;
}

/** Life, so many times faster: for what SIP waits half a minute for. */
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
