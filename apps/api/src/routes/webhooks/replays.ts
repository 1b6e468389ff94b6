import { WEBHOOK_REPLAY_DAYS } from '@outdial/contracts';
import { unreachable } from '@outdial/kernel';
import { invalidRequest } from '../../http/api-error.ts';
import { defineRoute, type AccountRoute } from '../../http/define-route.ts';
import { presentReplay } from './present.ts';
import { endpointDisabled, found, replayInProgress } from './refusals.ts';
import { cancelReplayContract, createReplayContract, getReplayContract } from './replay-contracts.ts';
import { webhooksOf, type WebhookDeps } from './webhook-deps.ts';

const MS_PER_DAY = 86_400_000;

export function createReplayRoute(deps: WebhookDeps): AccountRoute {
  return defineRoute(createReplayContract, async ({ principal, params, body }) => {
    const sinceMs = Date.parse(body.since);
    const untilMs = body.until === undefined ? undefined : Date.parse(body.until);
    const days = Math.min(WEBHOOK_REPLAY_DAYS, (await deps.replayDays()) ?? WEBHOOK_REPLAY_DAYS);
    if (sinceMs < deps.clock.nowMs() - days * MS_PER_DAY) {
      throw invalidRequest([{ param: 'since', message: `must be at most ${days} days ago` }]);
    }
    if (untilMs !== undefined && untilMs <= sinceMs) {
      throw invalidRequest([{ param: 'until', message: 'must be after since' }]);
    }
    const input = { endpointId: params.endpoint_id, sinceMs, untilMs, events: body.events, only: body.only };
    const outcome = await webhooksOf(deps, principal).createReplay(input);
    const created = found(outcome, 'webhook_endpoint_not_found');
    switch (created.kind) {
      case 'running':
        return { status: 202, body: { replay: presentReplay(created.replay) } };
      case 'in_progress':
        throw replayInProgress();
      case 'disabled':
        throw endpointDisabled();
      case 'not_wanted':
        throw invalidRequest([
          {
            param: 'events',
            message: `must be among the types that the endpoint receives: ${created.wanted.join(', ')}`,
          },
        ]);
      default:
        return unreachable(created);
    }
  });
}

export function getReplayRoute(deps: WebhookDeps): AccountRoute {
  return defineRoute(getReplayContract, async ({ principal, params }) => {
    const record = await webhooksOf(deps, principal).findReplay(params.replay_id);
    const own = record?.endpointId === params.endpoint_id ? record : null;
    return { status: 200, body: { replay: presentReplay(found(own, 'replay_not_found')) } };
  });
}

export function cancelReplayRoute(deps: WebhookDeps): AccountRoute {
  return defineRoute(cancelReplayContract, async ({ principal, params }) => {
    const webhooks = webhooksOf(deps, principal);
    const record = await webhooks.findReplay(params.replay_id);
    const own = record?.endpointId === params.endpoint_id ? await webhooks.cancelReplay(params.replay_id) : null;
    return { status: 200, body: { replay: presentReplay(found(own, 'replay_not_found')) } };
  });
}
