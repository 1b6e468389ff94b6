import type { CallId, WebhookEndpointId, WebhookMessageId, WebhookType } from '@outdial/contracts';
import type { HeardDelivery, Listening, ListenerStore } from '../ports/listener-store.ts';
import type { AttemptError } from '../ports/webhook-store.ts';
import { readBodies } from '../sender/claim-round.ts';
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
  const messages: HandedMessage[] = [];
  for (const { delivery, body } of await readBodies(deps.store, deliveries)) {
    const { endpointId: listenerId, messageId, attempt, type, callId } = delivery;
    const signed = body === null ? null : signedRequest(deps, delivery, body);
    if (signed !== null) messages.push({ listenerId, messageId, attempt, type, callId, ...signed });
    // What cannot be sent must not hold up what follows it.
    else await fail(deps, delivery, body === null ? null : 'secret');
  }
  return { messages, alive };
}

async function fail(
  { store, clock }: HandOutDeps,
  { messageId, endpointId, attempt }: HeardDelivery,
  error: AttemptError | null,
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
