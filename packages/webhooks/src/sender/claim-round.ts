import type { WebhookMessageId } from '@outdial/contracts';
import { formBody } from '../body/form-body.ts';
import type { ClaimedDelivery, ClaimLimits, WebhookStore } from '../ports/webhook-store.ts';

type Bodied = Pick<ClaimedDelivery, 'messageId' | 'body'>;

/** A claimed delivery with its kept body; null: what the message is about is gone. */
export interface ReadyDelivery<Delivery extends Bodied = ClaimedDelivery> {
  readonly delivery: Delivery;
  readonly body: string | null;
}

type RoundStore = Pick<WebhookStore, 'factsOf' | 'keepBodies'>;

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

/** The bodies of claimed deliveries. Those that had none are kept first: each attempt sends the same bytes. */
export async function readBodies<Delivery extends Bodied>(
  store: RoundStore,
  claimed: readonly Delivery[],
): Promise<readonly ReadyDelivery<Delivery>[]> {
  const missing = new Set(claimed.filter(({ body }) => body === null).map(({ messageId }) => messageId));
  const kept = missing.size === 0 ? NONE : await keepMissing(store, [...missing]);
  return claimed.map((delivery) => ({ delivery, body: delivery.body ?? kept.get(delivery.messageId) ?? null }));
}

async function keepMissing(
  store: RoundStore,
  messageIds: readonly WebhookMessageId[],
): Promise<ReadonlyMap<WebhookMessageId, string>> {
  const facts = await store.factsOf(messageIds);
  if (facts.length === 0) return NONE;
  return store.keepBodies(facts.map((one) => ({ messageId: one.messageId, body: formBody(one) })));
}

const NONE: ReadonlyMap<WebhookMessageId, string> = new Map();
