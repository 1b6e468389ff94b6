import { callSummaryListSchema, listCallsQuerySchema } from '@outdial/contracts';
import {
  defineDashboardContract,
  defineDashboardRoute,
  NO_BODY,
  NO_PARAMS,
  type Route,
} from '../../http/define-route.ts';
import { presentChange } from './present-change.ts';
import { readPage, type ListCallsDeps } from '../../routes/list-calls/handler.ts';

const contract = defineDashboardContract({
  access: 'member',
  method: 'GET',
  path: '/api/dashboard/accounts/:account_id/calls',
  params: NO_PARAMS,
  query: listCallsQuerySchema,
  body: NO_BODY,
  responses: { 200: callSummaryListSchema },
  errors: [],
});

/** The dashboard's list of calls, without the texts that only the page of a call shows. */
export function listCallSummariesRoute(deps: ListCallsDeps): Route {
  return defineDashboardRoute(contract, async ({ principal, query }) => {
    const { calls, ...rest } = await readPage(deps, principal.account.id, query, 'summary');
    return { status: 200, body: { calls: calls.map(presentChange), ...rest } };
  });
}
