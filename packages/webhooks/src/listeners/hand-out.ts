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

/**
 * Hands out what is due for listeners, with the headers and the bytes that an endpoint gets. What cannot be sent is stored
 * without waiting for it: a store that rejects it holds up no message.
 */
export async function handOut(deps: HandOutDeps, listening: readonly Listening[]): Promise<HandedOut> {
  const { deliveries, alive } = await deps.store.hear(listening);
  const places = new Map(deliveries.map(({ messageId, endpointId }, place) => [`${messageId} ${endpointId}`, place]));
  const messages: (HandedMessage & { readonly place: number })[] = [];
  const failures: Failure[] = [];
  const unread: HeardDelivery[] = [];
  for await (const part of readBodies(deps.store, deliveries)) {
    if (part.kind === 'unread') {
      unread.push(...part.deliveries);
      continue;
    }
    for (const ready of part.deliveries) {
      const { messageId, endpointId } = ready.delivery;
      const message = messageOf(deps, ready);
      if (message.kind === 'failed') failures.push(message);
      else messages.push({ ...message.message, place: places.get(`${messageId} ${endpointId}`) ?? 0 });
    }
  }
  void storeRest(deps, failures, unread);
  const inOrder = messages.toSorted((a, b) => a.place - b.place);
  return { messages: inOrder.map(({ place: _place, ...message }) => message), alive };
}

/** What cannot be sent. It must not hold up what follows it. */
interface Failure {
  readonly kind: 'failed';
  readonly delivery: HeardDelivery;
  readonly error: AttemptError;
}

function messageOf(
  deps: HandOutDeps,
  { delivery, body }: ReadyDelivery<HeardDelivery>,
): Failure | { readonly kind: 'message'; readonly message: HandedMessage } {
  const { endpointId: listenerId, messageId, attempt, type, callId } = delivery;
  const signed = body.kind === 'gone' ? GONE : signedRequest(deps, delivery, body);
  if (signed.kind === 'unsigned') return { kind: 'failed', delivery, error: signed.error };
  return { kind: 'message', message: { listenerId, messageId, attempt, type, callId, ...signed.request } };
}

const GONE = { kind: 'unsigned', error: 'body' } as const;

/** Never rejects: what the store does not take now is handed out again in half a minute. */
async function storeRest(
  deps: HandOutDeps,
  failures: readonly Failure[],
  unread: readonly HeardDelivery[],
): Promise<void> {
  const { store, logger } = deps;
  const finishing = Promise.allSettled(failures.map((failure) => fail(deps, failure)));
  // They are due again in seconds, with the try that was taken.
  const releasing = Promise.allSettled(unread.length > 0 ? [store.release(unread)] : []);
  for (const result of await finishing) {
    if (result.status === 'fulfilled') continue;
    const text = 'the outcome of a webhook could not be stored';
    logger.warn({ event: 'webhook.finish_failed', err: result.reason }, text);
  }
  for (const result of await releasing) {
    if (result.status === 'fulfilled') continue;
    const text = 'webhooks that were claimed could not be released';
    logger.warn({ event: 'webhook.release_failed', err: result.reason }, text);
  }
}

async function fail({ store, clock }: HandOutDeps, { delivery, error }: Failure): Promise<void> {
  const { messageId, endpointId, attempt } = delivery;
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
