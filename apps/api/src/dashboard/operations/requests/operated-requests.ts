import {
  accountRequestEnvelopeSchema,
  operatedRequestListSchema,
  operatedRequestQuerySchema,
  requestIdSchema,
} from '@outdial/contracts';
import { z } from 'zod';
import {
  defineDashboardContract,
  defineDashboardRoute,
  NO_BODY,
  NO_PARAMS,
  NO_QUERY,
  type Route,
} from '../../../http/define-route.ts';
import { presentRequest } from '../../requests/present-request.ts';
import { nextAfter } from '../next-after.ts';
import { administrationOf, type OperationsDeps } from '../operations-deps.ts';
import { toApiError } from '../refusals.ts';

const PAGE_SIZE = 50;

const listContract = defineDashboardContract({
  access: 'operator',
  method: 'GET',
  path: '/api/dashboard/operations/requests',
  params: NO_PARAMS,
  query: operatedRequestQuerySchema,
  body: NO_BODY,
  responses: { 200: operatedRequestListSchema },
  errors: [],
});

const doneContract = defineDashboardContract({
  access: 'operator',
  method: 'POST',
  path: '/api/dashboard/operations/requests/:request_id/done',
  params: z.object({ request_id: requestIdSchema }),
  query: NO_QUERY,
  body: NO_BODY,
  responses: { 200: accountRequestEnvelopeSchema },
  errors: ['request_not_found', 'origin_not_allowed'],
});

/** The requests of all accounts' owners. */
export function operatedRequestRoutes(deps: OperationsDeps): readonly Route[] {
  return [
    defineDashboardRoute(listContract, async ({ principal, query: { state, after } }) => {
      const search = { isDone: state === 'done', after, limit: PAGE_SIZE };
      const found = await administrationOf(deps, principal).requests.find(search);
      const requests = found.requests.map((request) => presentRequest(request));
      const next = nextAfter(requests, found.hasMore, ({ id }) => id);
      return { status: 200, body: { requests, next_after: next, open_count: found.openCount } };
    }),
    defineDashboardRoute(doneContract, async ({ principal, params: { request_id: requestId } }) => {
      const request = await administrationOf(deps, principal).requests.setDone(requestId).catch(toApiError);
      return { status: 200, body: { request: presentRequest(request) } };
    }),
  ];
}
