import type { Clock } from '@outdial/kernel';

/** How long a claim gives the right to a call. It is renewed four times within this time. */
export const LEASE_MS = 60_000;
export const LEASE_RENEWAL_MS = 15_000;

/** A lease with less time left than this is not used any more: hanging up takes time, and clocks differ. */
export const LEASE_MARGIN_MS = 10_000;

/** How leases are held, in milliseconds. `leaseTimes` makes it and keeps it safe. */
export interface LeaseTimes {
  readonly leaseMs: number;
  readonly renewalMs: number;
  readonly marginMs: number;
}

/**
 * @throws RangeError unless a renewal may fail once and the next one still comes before the margin: otherwise a single
 * late answer of Postgres would end calls.
 */
export function leaseTimes({ leaseMs, renewalMs, marginMs }: LeaseTimes): LeaseTimes {
  if (renewalMs <= 0 || marginMs <= 0) throw new RangeError('renewalMs and marginMs must be above 0');
  if (2 * renewalMs > leaseMs - marginMs) {
    throw new RangeError(`two renewals of ${renewalMs} ms must fit into a lease of ${leaseMs} ms less ${marginMs} ms`);
  }
  return { leaseMs, renewalMs, marginMs };
}

export const LEASE_TIMES = leaseTimes({
  leaseMs: LEASE_MS,
  renewalMs: LEASE_RENEWAL_MS,
  marginMs: LEASE_MARGIN_MS,
});

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
export function isUsable(clock: Clock, since: Instant, { leaseMs, marginMs }: LeaseTimes = LEASE_TIMES): boolean {
  return elapsedMs(clock, since) < leaseMs - marginMs;
}
