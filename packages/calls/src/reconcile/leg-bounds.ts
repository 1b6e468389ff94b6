import { LEASE_MS } from '../lease.ts';
import { sipSessionSecondsFor } from '../ports/carrier.ts';
import type { OrphanedCall } from '../ports/drive-store.ts';

/** What is known of a leg whose worker is gone. */
export type LegOfOrphan = Pick<
  OrphanedCall,
  'dialog' | 'writeAheadDial' | 'startedAtMs' | 'answeredAtMs' | 'leaseRenewedAtMs' | 'limits'
>;

/**
 * Without a stored dialog, no worker can end a leg that may exist. No call rings longer than three minutes (Timer C,
 * RFC 3261 section 16.6), and an answer without an ACK is given up after 64 × T1 (section 13.3.1.4).
 */
const MAX_RINGING_MS = 180_000;
const UNACKNOWLEDGED_MS = 32_000;

/**
 * When no leg of a call can be up any more, even if its far end cannot be reached. Its worker enforced the limits while
 * it lived, which was at most a lease beyond its last renewal; a far end without refreshes then ends the SIP session
 * (RFC 4028 section 10).
 */
export function legGoneByMs(orphan: LegOfOrphan, leaseMs: number = LEASE_MS): number {
  const { dialog, writeAheadDial, startedAtMs, answeredAtMs, leaseRenewedAtMs, limits } = orphan;
  if (dialog === null && writeAheadDial) return startedAtMs;
  const ringMs = limits.ringTimeoutSeconds * 1_000;
  const talkedOutMs = (answeredAtMs ?? startedAtMs + ringMs) + limits.maxDurationSeconds * 1_000;
  if (dialog === null) {
    return Math.min(talkedOutMs, startedAtMs + Math.max(MAX_RINGING_MS, ringMs) + UNACKNOWLEDGED_MS);
  }
  const sessionMs = sipSessionSecondsFor(limits.maxDurationSeconds) * 1_000;
  return Math.max(talkedOutMs, leaseRenewedAtMs + leaseMs + sessionMs);
}
