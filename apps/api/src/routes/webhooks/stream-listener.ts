import type { ListenerWebhookBody } from '@outdial/contracts';
import type { HandedMessage } from '@outdial/webhooks';
import { defineRoute, type AccountRoute } from '../../http/define-route.ts';
import { EVENT_STREAM_HEADERS, type ServerSentEvent } from '../../http/event-stream.ts';
import { requireSecretKey } from '../require-secret-key.ts';
import { streamListenerContract } from './listener-contracts.ts';
import type { ListenerDeps } from './listeners.ts';
import { found } from './refusals.ts';
import { webhooksOf } from './webhook-deps.ts';

/** The most that a stream takes at once. Postgres bounds what all streams of a listener have without results. */
const ROOM = 10;

export function streamListenerRoute(deps: ListenerDeps): AccountRoute {
  return defineRoute(streamListenerContract, async ({ principal, params, method }) => {
    requireSecretKey(deps.secretKey);
    const listenerId = params.listener_id;
    found(await webhooksOf(deps, principal).listeners.find(listenerId), 'webhook_listener_not_found');
    if (method === 'HEAD') return { status: 200, headers: EVENT_STREAM_HEADERS, stream: null };
    const stream = deps.streams.open(principal);
    const unfollow = deps.listeners.follow(
      { listenerId, accountId: principal.account.id },
      {
        // A client that has not read the last messages gets no others: what waits for it waits in Postgres.
        room: () => (stream.body.destroyed || stream.body.readableLength > 0 ? 0 : ROOM),
        take: (messages) => stream.send(messages.map(toEvent)),
        gone: () => stream.end(),
      },
    );
    stream.body.once('close', unfollow);
    return { status: 200, headers: EVENT_STREAM_HEADERS, stream: stream.body };
  });
}

function toEvent({ messageId, attempt, type, callId, headers, body }: HandedMessage): ServerSentEvent {
  const data: ListenerWebhookBody = {
    message_id: messageId,
    attempt,
    type,
    call_id: callId,
    headers: { ...headers },
    body,
  };
  return { type: 'webhook', data };
}
