import type { TrunkAvailability } from '../ports/trunks.ts';

/** A worker that has told nothing for so long is gone. */
export const AVAILABILITY_TTL_MS = 20_000;

/** Where it is not known when a trunk is back, OPTIONS and calls find out within this. */
const ASK_AGAIN_SECONDS = 30;
const LONGEST_RETRY_SECONDS = 300;

type TrunkWait =
  /** A call that is accepted now has a trunk, or may get one while it waits in the queue. */
  | { readonly kind: 'worth_it'; readonly isOut: boolean }
  | { readonly kind: 'pointless'; readonly retryAfterSeconds: number };

/**
 * Whether a call is to be accepted while the trunks are as they are. An outage is waited out for as long as a call may
 * wait in the queue; then new calls are refused until a trunk is back, or is tried again. Null: no worker over trunks
 * runs, and the queue keeps the call for the next one.
 */
export function waitForTrunk(outlook: TrunkAvailability | null, queueTtlSeconds: number): TrunkWait {
  if (outlook === null || outlook.kind === 'up') return { kind: 'worth_it', isOut: false };
  if (outlook.kind === 'none') return { kind: 'pointless', retryAfterSeconds: ASK_AGAIN_SECONDS };
  const ttlMs = queueTtlSeconds * 1_000;
  if (outlook.forMs < ttlMs && (outlook.backInMs ?? 0) <= ttlMs) return { kind: 'worth_it', isOut: true };
  return { kind: 'pointless', retryAfterSeconds: retryAfterOf(outlook) };
}

/** For a client that was refused while the trunks are out of order. */
export function retryAfterOf(outlook: TrunkAvailability | null): number {
  if (outlook?.kind !== 'out' || outlook.backInMs === null) return ASK_AGAIN_SECONDS;
  return Math.min(LONGEST_RETRY_SECONDS, Math.max(1, Math.ceil(outlook.backInMs / 1_000)));
}
