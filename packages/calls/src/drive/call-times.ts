import type { Clock } from '@outdial/kernel';

/**
 * A call's times are Postgres's: its clock is read once, at the claim, and this process's monotonic clock continues from
 * there. So the times of one call never contradict each other, whatever the wall clocks do.
 */
export interface CallTimes {
  wallMsOf(momentMs: number): number;
}

/** The monotonic time in whole milliseconds, so that sums and differences are exact. */
export function monotonicNowMs(clock: Clock): number {
  return Math.floor(clock.monotonicMs());
}

/** Call it as soon as the claim's answer arrives. */
export function anchorTimes(clock: Clock, startedAtMs: number): CallTimes {
  const anchorMs = monotonicNowMs(clock);
  return { wallMsOf: (momentMs) => startedAtMs + Math.max(0, momentMs - anchorMs) };
}
