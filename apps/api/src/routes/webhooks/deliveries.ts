import { webhookMessageIdSchema, type AccountId } from '@outdial/contracts';
import { unreachable } from '@outdial/kernel';
import type { DeliveryPosition } from '@outdial/persistence';
import { testBody } from '@outdial/webhooks';
import { invalidRequest } from '../../http/api-error.ts';
import { defineRoute, type AccountRoute } from '../../http/define-route.ts';
import type { PositionSeal } from '../../http/position-seal.ts';
import { getMessageContract, listDeliveriesContract, resendContract, sendTestContract } from './delivery-contracts.ts';
import { presentAttempt, presentDelivery, presentMessage } from './present.ts';
import { endpointDisabled, found, notFound, resendLimitReached } from './refusals.ts';
import { webhooksOf, type WebhookDeps } from './webhook-deps.ts';

export function listDeliveriesRoute(deps: WebhookDeps): AccountRoute {
  const { deliveryCursors: cursors } = deps;
  return defineRoute(listDeliveriesContract, async ({ principal, params, query }) => {
    const accountId = principal.account.id;
    const { endpoint_id: endpointId } = params;
    const { state, type, call_id: callId, limit, cursor } = query;
    const after = cursor === undefined ? undefined : readCursor(cursors, accountId, cursor);
    const webhooks = webhooksOf(deps, principal);
    found((await webhooks.has(endpointId)) || null, 'webhook_endpoint_not_found');
    const page = { endpointId, state, type, callId, after, limit };
    const { deliveries, hasMore } = await deps.heavyReads.read(accountId, () => webhooks.deliveries(page));
    const last = deliveries.at(-1);
    const next =
      hasMore && last ? cursors.write(accountId, { createdAtMs: last.createdAtMs, id: last.messageId }) : null;
    return {
      status: 200,
      body: { deliveries: deliveries.map(presentDelivery), has_more: hasMore, next_cursor: next },
    };
  });
}

function readCursor(cursors: PositionSeal, accountId: AccountId, text: string): DeliveryPosition {
  const position = cursors.read(accountId, text);
  if (position === null) {
    throw invalidRequest([{ param: 'cursor', message: 'must be the next_cursor of an earlier page, unchanged' }]);
  }
  return { createdAtMs: position.createdAtMs, messageId: webhookMessageIdSchema.parse(position.id) };
}

export function sendTestRoute(deps: WebhookDeps): AccountRoute {
  return defineRoute(sendTestContract, async ({ principal, params, body: { type } }) => {
    const webhooks = webhooksOf(deps, principal);
    const message = { type, body: testBody(type, deps.clock.nowMs()) };
    const sent = found(await webhooks.sendTest(params.endpoint_id, message), 'webhook_endpoint_not_found');
    if (sent.kind === 'disabled') throw endpointDisabled();
    const details = found(await webhooks.message(sent.messageId), 'webhook_message_not_found');
    return { status: 202, body: { message: presentMessage(details.message) } };
  });
}

export function getMessageRoute(deps: WebhookDeps): AccountRoute {
  return defineRoute(getMessageContract, async ({ principal, params }) => {
    const read = () => webhooksOf(deps, principal).message(params.message_id);
    const details = await deps.heavyReads.read(
      principal.account.id,
      read,
      (result) => result?.message.body?.length ?? 0,
    );
    const { message, deliveries } = found(details, 'webhook_message_not_found');
    return {
      status: 200,
      body: {
        message: presentMessage(message),
        deliveries: deliveries.map((delivery) => ({
          ...presentDelivery(delivery),
          attempts: delivery.attemptLog.map(presentAttempt),
        })),
      },
    };
  });
}

export function resendRoute(deps: WebhookDeps): AccountRoute {
  return defineRoute(resendContract, async ({ principal, params, body }) => {
    const target = { messageId: params.message_id, endpointId: body.endpoint_id };
    const outcome = await webhooksOf(deps, principal).resend(target);
    switch (outcome.kind) {
      case 'due':
        return { status: 202, body: { delivery: presentDelivery(outcome.delivery) } };
      case 'disabled':
        throw endpointDisabled();
      case 'sent_too_often':
        throw resendLimitReached(outcome.max);
      case 'no_message':
        throw notFound('webhook_message_not_found');
      case 'no_endpoint':
        throw notFound('webhook_endpoint_not_found');
      default:
        return unreachable(outcome);
    }
  });
}
