import type { TrunkAvailability } from '../ports/trunks.ts';

/** A worker whose last report is older than this is gone. */
export const AVAILABILITY_TTL_MS = 20_000;

/** If it is not known when a trunk will be back, OPTIONS and calls find out within this time. */
const ASK_AGAIN_SECONDS = 30;
const MAX_RETRY_AFTER_SECONDS = 300;

type TrunkWait =
  /** A call that is accepted now has a trunk, or may get one while it waits in the queue. */
  | { readonly kind: 'worth_it'; readonly isOut: boolean }
  | { readonly kind: 'pointless'; readonly retryAfterSeconds: number };

/**
 * Whether to accept a call in the current state of the trunks. During an outage calls are accepted for as long as a call
 * may wait in the queue; then new calls are rejected until a trunk is back or is tried again. Null: no worker with trunks
 * runs, and the queue keeps the call for the next one.
 */
export function waitForTrunk(availability: TrunkAvailability | null, queueTtlSeconds: number): TrunkWait {
  if (availability === null || availability.kind === 'up') return { kind: 'worth_it', isOut: false };
  if (availability.kind === 'none') return { kind: 'pointless', retryAfterSeconds: ASK_AGAIN_SECONDS };
  const ttlMs = queueTtlSeconds * 1_000;
  if (availability.forMs < ttlMs && (availability.backInMs ?? 0) <= ttlMs) return { kind: 'worth_it', isOut: true };
  return { kind: 'pointless', retryAfterSeconds: retryAfterOf(availability) };
}

/** For a client that is rejected while the trunks are down. */
export function retryAfterOf(availability: TrunkAvailability | null): number {
  if (availability?.kind !== 'out' || availability.backInMs === null) return ASK_AGAIN_SECONDS;
  return Math.min(MAX_RETRY_AFTER_SECONDS, Math.max(1, Math.ceil(availability.backInMs / 1_000)));
}
