import type { WebhookListenerBody } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import type { WebhookEndpointRecord } from '@outdial/persistence';
import { timestamp } from '@outdial/presentation';
import { createSecret, heardAttempt } from '@outdial/webhooks';
import { withinBounds } from '../../http/account-bounds.ts';
import { defineRoute, type AccountRoute } from '../../http/define-route.ts';
import { noContent } from '../../http/reply.ts';
import type { ListenerHub } from '../../live/listener-hub.ts';
import type { OpenStreams } from '../../live/open-streams.ts';
import { requireSecretKey } from '../require-secret-key.ts';
import {
  createListenerContract,
  endListenerContract,
  MAX_LISTENERS,
  storeResultContract,
} from './listener-contracts.ts';
import { found } from './refusals.ts';
import { webhooksOf, type WebhookDeps } from './webhook-deps.ts';

export interface ListenerDeps extends WebhookDeps {
  readonly streams: Pick<OpenStreams, 'open'>;
  readonly listeners: Pick<ListenerHub, 'follow' | 'hint'>;
}

export function createListenerRoute(deps: ListenerDeps): AccountRoute {
  return defineRoute(createListenerContract, async ({ principal, body: { events = [] } }) => {
    const toSeal = { secret: createSecret(), secretKey: requireSecretKey(deps.secretKey) };
    const { listeners } = webhooksOf(deps, principal);
    const record = await withinBounds(listeners.create({ ...toSeal, events, maxOfAccount: MAX_LISTENERS }));
    return { status: 201, body: { listener: presentListener(record), secret: toSeal.secret } };
  });
}

function presentListener(record: WebhookEndpointRecord): WebhookListenerBody {
  invariant(record.expiresAtMs !== null, 'a listener expires');
  return {
    id: record.id,
    events: [...record.events],
    api_version: record.apiVersion,
    expires_at: timestamp(record.expiresAtMs),
    created_at: timestamp(record.createdAtMs),
  };
}

export function endListenerRoute(deps: ListenerDeps): AccountRoute {
  return defineRoute(endListenerContract, async ({ principal, params }) => {
    const isEnded = await webhooksOf(deps, principal).listeners.end(params.listener_id);
    found(isEnded || null, 'webhook_listener_not_found');
    // Its streams of this process learn of it now.
    deps.listeners.hint();
    return noContent();
  });
}

/** Each result is a request of its key, and only what was handed out can have one: both limits bound what is stored. */
export function storeResultRoute(deps: ListenerDeps): AccountRoute {
  return defineRoute(storeResultContract, async ({ principal, params, body }) => {
    const result = {
      messageId: body.message_id,
      endpointId: params.listener_id,
      attempt: body.attempt,
      status: body.status,
      error: body.error,
      durationMs: body.duration_ms,
      responseHeaders: body.response_headers,
      responseBody: body.response_body,
    };
    const { listeners } = webhooksOf(deps, principal);
    const outcome = await listeners.storeResult(heardAttempt(result, deps.clock.nowMs()));
    found(outcome === 'listener_not_found' ? null : outcome, 'webhook_listener_not_found');
    found(outcome === 'message_not_found' ? null : outcome, 'webhook_message_not_found');
    // The next event of the call may follow.
    deps.listeners.hint();
    return noContent();
  });
}
