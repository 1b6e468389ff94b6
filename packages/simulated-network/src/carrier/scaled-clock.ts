import type { Clock } from '@outdial/kernel';

/** Timers in network time, which runs `speed` times faster than real time. */
export function scaleTimers(clock: Clock, speed: number): Pick<Clock, 'after'> {
  return { after: (delayMs, callback) => clock.after(delayMs / speed, callback) };
}
