import { unreachable } from '@outdial/kernel';
import { createSecret } from '@outdial/webhooks';
import { withinBounds } from '../../http/account-bounds.ts';
import { defineRoute, type AccountRoute } from '../../http/define-route.ts';
import { noContent } from '../../http/reply.ts';
import { requireSecretKey } from '../require-secret-key.ts';
import { checkWebhookUrl } from './check-webhook-url.ts';
import {
  createEndpointContract,
  deleteEndpointContract,
  getEndpointContract,
  listEndpointsContract,
  updateEndpointContract,
} from './endpoint-contracts.ts';
import { presentEndpoint } from './present.ts';
import { disabledByOperator, endpointDraining, found } from './refusals.ts';
import { webhooksOf, type WebhookDeps } from './webhook-deps.ts';

const MAX_ENDPOINTS = 20;

export function createEndpointRoute(deps: WebhookDeps): AccountRoute {
  return defineRoute(createEndpointContract, async ({ principal, body }) => {
    checkWebhookUrl(deps, 'url', body.url);
    const secretKey = requireSecretKey(deps.secretKey);
    const secret = createSecret();
    const { url, events = [], description = '', rate_per_second: ratePerSecond = null } = body;
    const record = await withinBounds(
      webhooksOf(deps, principal).create({
        url,
        events,
        description,
        ratePerSecond,
        secret,
        secretKey,
        maxOfAccount: MAX_ENDPOINTS,
      }),
    );
    return { status: 201, body: { endpoint: presentEndpoint(record), secret } };
  });
}

export function listEndpointsRoute(deps: WebhookDeps): AccountRoute {
  return defineRoute(listEndpointsContract, async ({ principal }) => {
    const records = await webhooksOf(deps, principal).list();
    return { status: 200, body: { endpoints: records.map(presentEndpoint) } };
  });
}

export function getEndpointRoute(deps: WebhookDeps): AccountRoute {
  return defineRoute(getEndpointContract, async ({ principal, params }) => {
    const record = await webhooksOf(deps, principal).find(params.endpoint_id);
    return { status: 200, body: { endpoint: presentEndpoint(found(record, 'webhook_endpoint_not_found')) } };
  });
}

export function updateEndpointRoute(deps: WebhookDeps): AccountRoute {
  return defineRoute(updateEndpointContract, async ({ principal, params, body }) => {
    const { rate_per_second: ratePerSecond, api_version: apiVersion, ...others } = body;
    if (body.url !== undefined) checkWebhookUrl(deps, 'url', body.url);
    const changes = { ...others, ratePerSecond, apiVersion };
    const outcome = await webhooksOf(deps, principal).update(params.endpoint_id, changes);
    const updated = found(outcome, 'webhook_endpoint_not_found');
    switch (updated.kind) {
      case 'updated':
        return { status: 200, body: { endpoint: presentEndpoint(updated.endpoint) } };
      case 'draining':
        throw endpointDraining();
      case 'disabled_by_operator':
        throw disabledByOperator();
      default:
        return unreachable(updated);
    }
  });
}

export function deleteEndpointRoute(deps: WebhookDeps): AccountRoute {
  return defineRoute(deleteEndpointContract, async ({ principal, params }) => {
    const isRemoved = await webhooksOf(deps, principal).remove(params.endpoint_id);
    found(isRemoved ? true : null, 'webhook_endpoint_not_found');
    return noContent();
  });
}
