import type { CallId, WebhookEndpointId, WebhookMessageId, WebhookType } from '@outdial/contracts';
import type { HeardDelivery, Listening, ListenerStore } from '../ports/listener-store.ts';
import type { AttemptError } from '../ports/webhook-store.ts';
import { readBodies, type ReadyDelivery } from '../sender/read-bodies.ts';
import { signedRequest, type SignedRequest, type SigningDeps } from '../sender/signed-request.ts';

export interface HandOutDeps extends SigningDeps {
  readonly store: ListenerStore;
}

/** A signed request, which the program that listens makes instead of the sender. */
export interface HandedMessage extends SignedRequest {
  readonly listenerId: WebhookEndpointId;
  readonly messageId: WebhookMessageId;
  readonly attempt: number;
  readonly type: WebhookType;
  readonly callId: CallId | null;
}

export interface HandedOut {
  /** In the order of their events. */
  readonly messages: readonly HandedMessage[];
  readonly alive: ReadonlySet<WebhookEndpointId>;
}

/** Hands out what is due for listeners, with the headers and the bytes that an endpoint gets. */
export async function handOut(deps: HandOutDeps, listening: readonly Listening[]): Promise<HandedOut> {
  const { deliveries, alive } = await deps.store.hear(listening);
  const places = new Map(deliveries.map(({ messageId, endpointId }, place) => [`${messageId} ${endpointId}`, place]));
  const messages: (HandedMessage & { readonly place: number })[] = [];
  for await (const part of readBodies(deps.store, deliveries)) {
    // The store is away: they are handed out again in half a minute.
    if (part.kind === 'unread') continue;
    for (const ready of part.deliveries) {
      const { messageId, endpointId } = ready.delivery;
      const message = await messageOf(deps, ready);
      if (message !== null) messages.push({ ...message, place: places.get(`${messageId} ${endpointId}`) ?? 0 });
    }
  }
  const inOrder = messages.toSorted((a, b) => a.place - b.place);
  return { messages: inOrder.map(({ place: _place, ...message }) => message), alive };
}

/** Null: it cannot be sent, and has failed. It must not hold up what follows it. */
async function messageOf(
  deps: HandOutDeps,
  { delivery, body }: ReadyDelivery<HeardDelivery>,
): Promise<HandedMessage | null> {
  const { endpointId: listenerId, messageId, attempt, type, callId } = delivery;
  const signed = body.kind === 'gone' ? GONE : signedRequest(deps, delivery, body);
  if (signed.kind === 'signed') return { listenerId, messageId, attempt, type, callId, ...signed.request };
  await fail(deps, delivery, signed.error);
  return null;
}

const GONE = { kind: 'unsigned', error: 'body' } as const;

async function fail(
  { store, clock }: HandOutDeps,
  { messageId, endpointId, attempt }: HeardDelivery,
  error: AttemptError,
): Promise<void> {
  await store.finish({
    messageId,
    endpointId,
    laneId: endpointId,
    attempt,
    startedAtMs: clock.nowMs(),
    durationMs: 0,
    status: null,
    error,
    responseHeaders: {},
    responseBody: null,
    verdict: { kind: 'failed', laneDelayMs: 0 },
  });
}
