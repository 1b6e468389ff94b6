import { systemClock, type Clock, type Timer } from '@outdial/kernel';

const open = new Set<Timer>();

/** The clock of minds under test, which knows the timers that are neither over nor canceled. */
export const watchedClock: Clock = {
  nowMs: () => systemClock.nowMs(),
  monotonicMs: () => systemClock.monotonicMs(),
  after(delayMs, callback) {
    const started = systemClock.after(delayMs, () => {
      open.delete(timer);
      callback();
    });
    const timer: Timer = {
      cancel() {
        open.delete(timer);
        started.cancel();
      },
    };
    open.add(timer);
    return timer;
  },
};

export const openTimers = (): number => open.size;
