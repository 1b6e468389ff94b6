import type { ClaimLimits } from '../ports/webhook-store.ts';

/** The share of all slots that failing receivers never get, so that the others are served at once. */
const KEPT_FOR_HEALTHY = 0.2;

/** The share of all slots that one account may have, however slow its receivers are. */
const SHARE_OF_ACCOUNT = 0.25;

export const mostOfAccount = (concurrency: number): number => Math.max(1, Math.ceil(concurrency * SHARE_OF_ACCOUNT));

/** What may be claimed beside the requests in flight. Null: nothing. */
export function claimLimits(
  concurrency: number,
  inFlight: { readonly total: number; readonly unhealthy: number },
): ClaimLimits | null {
  const freeSlots = concurrency - inFlight.total;
  if (freeSlots <= 0) return null;
  // Of a single slot nothing can be kept.
  const forUnhealthy = Math.max(1, Math.floor(concurrency * (1 - KEPT_FOR_HEALTHY))) - inFlight.unhealthy;
  return { freeSlots, freeSlotsForHealthyLanes: freeSlots - Math.min(freeSlots, Math.max(0, forUnhealthy)) };
}
