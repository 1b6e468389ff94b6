import type { WebhookMessageId } from '@outdial/contracts';
import { formBody } from '../body/form-body.ts';
import type { ClaimedDelivery, MessageFacts, UnreadableMessage, WebhookStore } from '../ports/webhook-store.ts';

export type MessageBody =
  /** All attempts send these bytes. */
  | { readonly kind: 'kept'; readonly text: string }
  /** What the message is about is gone. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'unreadable'; readonly error: unknown };

type Bodied = Pick<ClaimedDelivery, 'messageId' | 'body'>;

export interface ReadyDelivery<Delivery extends Bodied = ClaimedDelivery> {
  readonly delivery: Delivery;
  readonly body: MessageBody;
}

export type ReadPart<Delivery extends Bodied = ClaimedDelivery> =
  | { readonly kind: 'ready'; readonly deliveries: readonly ReadyDelivery<Delivery>[] }
  /** The store is away: their attempt cannot be made. */
  | { readonly kind: 'unread'; readonly deliveries: readonly Delivery[]; readonly error: unknown };

type BodyStore = Pick<WebhookStore, 'factsOf' | 'keepBodies'>;

/** Messages of one statement; two are under way. A call with its transcript may have a megabyte. */
const MOST_AT_ONCE = 50;

/**
 * The bodies of claimed deliveries, part by part: first those that have been kept. The others are kept before they are sent.
 * A message without a body fails alone; a store that is away leaves the rest unread.
 */
export async function* readBodies<Delivery extends Bodied>(
  store: BodyStore,
  claimed: readonly Delivery[],
): AsyncGenerator<ReadPart<Delivery>> {
  const missing = new Map<WebhookMessageId, Delivery[]>();
  const kept: ReadyDelivery<Delivery>[] = [];
  for (const delivery of claimed) {
    if (delivery.body !== null) kept.push({ delivery, body: { kind: 'kept', text: delivery.body } });
    else missing.set(delivery.messageId, [...(missing.get(delivery.messageId) ?? []), delivery]);
  }
  if (kept.length > 0) yield { kind: 'ready', deliveries: kept };
  const messages = [...missing];
  const begin = (from: number) => {
    const ids = messages.slice(from, from + MOST_AT_ONCE).map(([messageId]) => messageId);
    const forming = formAndKeep(store, ids);
    // It is awaited in its turn, if the one before it succeeds.
    forming.catch(() => undefined);
    return forming;
  };
  let next = begin(0);
  for (let from = 0; from < messages.length; from += MOST_AT_ONCE) {
    const forming = next;
    // Postgres reads the next part while this process forms the present one.
    next = begin(from + MOST_AT_ONCE);
    try {
      const bodies = await forming;
      const toReady = (delivery: Delivery) => ({ delivery, body: bodies.get(delivery.messageId) ?? GONE });
      const part = messages.slice(from, from + MOST_AT_ONCE);
      yield { kind: 'ready', deliveries: part.flatMap(([, deliveries]) => deliveries.map(toReady)) };
    } catch (error) {
      yield { kind: 'unread', deliveries: messages.slice(from).flatMap(([, deliveries]) => deliveries), error };
      return;
    }
  }
}

const GONE = { kind: 'gone' } as const;

async function formAndKeep(
  store: BodyStore,
  messageIds: readonly WebhookMessageId[],
): Promise<ReadonlyMap<WebhookMessageId, MessageBody>> {
  const bodies = new Map<WebhookMessageId, MessageBody>();
  if (messageIds.length === 0) return bodies;
  const formed: { messageId: WebhookMessageId; body: string }[] = [];
  for (const facts of await store.factsOf(messageIds)) {
    const { messageId } = facts;
    const body = form(facts);
    bodies.set(messageId, body.kind === 'kept' ? NOT_KEPT : body);
    if (body.kind === 'kept') formed.push({ messageId, body: body.text });
  }
  if (formed.length === 0) return bodies;
  const kept = await store.keepBodies(formed);
  for (const { messageId } of formed) {
    const text = kept.get(messageId);
    if (text !== undefined) bodies.set(messageId, { kind: 'kept', text });
  }
  return bodies;
}

const NOT_KEPT: MessageBody = { kind: 'unreadable', error: new Error('the store does not take this body') };

function form(facts: MessageFacts | UnreadableMessage): MessageBody {
  if ('error' in facts) return { kind: 'unreadable', error: facts.error };
  try {
    return { kind: 'kept', text: formBody(facts) };
  } catch (error) {
    return { kind: 'unreadable', error };
  }
}
