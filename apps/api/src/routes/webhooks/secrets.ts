import { unreachable } from '@outdial/kernel';
import { timestamp, timestampOrNull } from '@outdial/presentation';
import { createSecret } from '@outdial/webhooks';
import { defineRoute, type AccountRoute } from '../../http/define-route.ts';
import { requireSecretKey } from '../require-secret-key.ts';
import { found, rotationInProgress } from './refusals.ts';
import { getPerCallSecretContract, makePerCallSecretContract, rotateSecretContract } from './secret-contracts.ts';
import { webhooksOf, type WebhookDeps } from './webhook-deps.ts';

export function rotateSecretRoute(deps: WebhookDeps): AccountRoute {
  return defineRoute(rotateSecretContract, async ({ principal, params, body }) => {
    const toSeal = { secret: createSecret(), secretKey: requireSecretKey(deps.secretKey) };
    const webhooks = webhooksOf(deps, principal);
    const outcome = await webhooks.rotateSecret(params.endpoint_id, { ...toSeal, overlapHours: body.overlap_hours });
    const rotated = found(outcome, 'webhook_endpoint_not_found');
    switch (rotated.kind) {
      case 'rotated': {
        const previousUntil = timestampOrNull(rotated.endpoint.previousUntilMs);
        return { status: 200, body: { secret: toSeal.secret, previous_until: previousUntil } };
      }
      case 'in_progress': {
        const endpoint = await webhooks.find(params.endpoint_id);
        throw rotationInProgress(endpoint?.previousUntilMs ?? null);
      }
      default:
        return unreachable(rotated);
    }
  });
}

export function getPerCallSecretRoute(deps: WebhookDeps): AccountRoute {
  return defineRoute(getPerCallSecretContract, async ({ principal }) => {
    const endpoint = await webhooksOf(deps, principal).perCall.find();
    const madeAt = timestampOrNull(endpoint?.secretMadeAtMs ?? null);
    return {
      status: 200,
      body: { made_at: madeAt, previous_until: timestampOrNull(endpoint?.previousUntilMs ?? null) },
    };
  });
}

export function makePerCallSecretRoute(deps: WebhookDeps): AccountRoute {
  return defineRoute(makePerCallSecretContract, async ({ principal, query }) => {
    const toSeal = { secret: createSecret(), secretKey: requireSecretKey(deps.secretKey) };
    const { perCall } = webhooksOf(deps, principal);
    const outcome = await perCall.setSecret({ ...toSeal, overlapHours: query.overlap_hours });
    if (outcome.kind === 'in_progress') throw rotationInProgress(outcome.previousUntilMs);
    const { secretMadeAtMs, previousUntilMs } = outcome.endpoint;
    const times = { made_at: timestamp(secretMadeAtMs), previous_until: timestampOrNull(previousUntilMs) };
    return { status: 200, body: { secret: toSeal.secret, ...times } };
  });
}
