import type { Clock } from '@outdial/kernel';

/** How long a claim gives the right to a call. It is renewed four times within this time. */
export const LEASE_MS = 60_000;
export const LEASE_RENEWAL_MS = 15_000;

/** A lease with less time left than this is not used any more: hanging up takes time, and clocks differ. */
export const LEASE_MARGIN_MS = 10_000;

/** A moment by both clocks of this process. */
export interface Instant {
  readonly wallMs: number;
  readonly monotonicMs: number;
}

export function instantOf(clock: Clock): Instant {
  return { wallMs: clock.nowMs(), monotonicMs: clock.monotonicMs() };
}

/**
 * The time passed since, by whichever clock says more. The monotonic clock stops while a virtual machine sleeps; the wall
 * clock may have been set back. A lease that is over by either clock may belong to another worker.
 */
export function elapsedMs(clock: Clock, since: Instant): number {
  return Math.max(clock.monotonicMs() - since.monotonicMs, clock.nowMs() - since.wallMs);
}

/** Whether a lease that was taken or renewed then may still begin something. */
export function isUsable(clock: Clock, since: Instant): boolean {
  return elapsedMs(clock, since) < LEASE_MS - LEASE_MARGIN_MS;
}
