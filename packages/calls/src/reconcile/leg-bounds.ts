import { LEASE_MS } from '../drive/lease.ts';
import { sipSessionSecondsFor } from '../ports/carrier.ts';
import type { OrphanedCall } from '../ports/drive-store.ts';

/**
 * Without a stored dialog nobody can end the leg, if there may be one. Nothing rings longer than three minutes (Timer C,
 * RFC 3261 section 16.6), and an answer that nobody acknowledges is given up after 64 × T1 (section 13.3.1.4).
 */
const LONGEST_RINGING_MS = 180_000;
const UNACKNOWLEDGED_MS = 32_000;

/**
 * By when no leg of a call can be up any more, whoever cannot be reached. Its worker kept the limits for as long as it
 * lived, which was a lease beyond its last renewal at most; a far end that nobody refreshes then lets the session go
 * (RFC 4028 section 10).
 */
export function legGoneByMs(orphan: OrphanedCall): number {
  const { dialog, writeAheadDial, startedAtMs, answeredAtMs, leaseRenewedAtMs, limits } = orphan;
  if (dialog === null && writeAheadDial) return startedAtMs;
  const ringMs = limits.ringTimeoutSeconds * 1_000;
  const talkedOutMs = (answeredAtMs ?? startedAtMs + ringMs) + limits.maxDurationSeconds * 1_000;
  if (dialog === null) {
    return Math.min(talkedOutMs, startedAtMs + Math.max(LONGEST_RINGING_MS, ringMs) + UNACKNOWLEDGED_MS);
  }
  const sessionMs = sipSessionSecondsFor(limits.maxDurationSeconds) * 1_000;
  return Math.max(talkedOutMs, leaseRenewedAtMs + LEASE_MS + sessionMs);
}
