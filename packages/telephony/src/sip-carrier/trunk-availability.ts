import type { TrunkAvailability, TrunkBreakerState } from '@outdial/calls';

/** The overall state of all enabled trunks, for the process that accepts calls. */
export function trunkAvailabilityOf(verdicts: readonly TrunkBreakerState[], nowMs: number): TrunkAvailability {
  if (verdicts.length === 0) return { kind: 'none' };
  const outages = verdicts.flatMap((verdict) => (verdict.kind === 'open' ? [verdict.outage] : []));
  // A half-open trunk is tried with calls: without new ones it would never recover.
  if (outages.length < verdicts.length) return { kind: 'up' };
  // The platform has been without a trunk since the last of them failed, and has one when the first is back.
  const sinceMs = Math.max(...outages.map((outage) => outage.sinceMs));
  const untilMs = Math.min(...outages.map((outage) => outage.untilMs));
  return { kind: 'out', forMs: nowMs - sinceMs, backInMs: untilMs === Infinity ? null : untilMs - nowMs };
}
