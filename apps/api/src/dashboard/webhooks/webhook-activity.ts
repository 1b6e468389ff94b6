import { callDeliveriesParamsSchema, callDeliveriesSchema, webhookActivitySchema } from '@outdial/contracts';
import { timestamp } from '@outdial/presentation';
import {
  defineDashboardContract,
  defineDashboardRoute,
  NO_BODY,
  NO_PARAMS,
  NO_QUERY,
  type Route,
} from '../../http/define-route.ts';
import { presentDelivery } from '../../routes/webhooks/present.ts';
import { webhooksOf, type WebhookDeps } from '../../routes/webhooks/webhook-deps.ts';

const COMMON = { access: 'member', method: 'GET', query: NO_QUERY, body: NO_BODY, errors: [] } as const;

const ofCallContract = defineDashboardContract({
  ...COMMON,
  path: '/api/dashboard/accounts/:account_id/calls/:call_id/webhook-deliveries',
  params: callDeliveriesParamsSchema,
  responses: { 200: callDeliveriesSchema },
});

const activityContract = defineDashboardContract({
  ...COMMON,
  path: '/api/dashboard/accounts/:account_id/webhook-activity',
  params: NO_PARAMS,
  responses: { 200: webhookActivitySchema },
});

/** What was sent about a call. Empty for an unknown call, and after the retention. */
export function listDeliveriesOfCallRoute(deps: WebhookDeps): Route {
  return defineDashboardRoute(ofCallContract, async ({ principal, params }) => {
    const read = () => webhooksOf(deps, principal).deliveriesOfCall(params.call_id);
    const deliveries = await deps.heavyReads.read(principal.account.id, read);
    return {
      status: 200,
      body: {
        deliveries: deliveries.map((record) => ({
          ...presentDelivery(record),
          url: record.url,
          has_endpoint: record.isStanding,
        })),
      },
    };
  });
}

/** The deliveries of the last 24 hours, by endpoint and hour. */
export function getWebhookActivityRoute(deps: WebhookDeps): Route {
  return defineDashboardRoute(activityContract, async ({ principal }) => {
    const endpoints = await deps.heavyReads.read(principal.account.id, () => webhooksOf(deps, principal).activity());
    return {
      status: 200,
      body: {
        endpoints: endpoints.map(({ endpointId, hours }) => ({
          endpoint_id: endpointId,
          hours: hours.map(({ atMs, hasMore, ...counts }) => ({ at: timestamp(atMs), ...counts, has_more: hasMore })),
        })),
      },
    };
  });
}
