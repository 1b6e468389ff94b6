import { operatedNumberListSchema, operatedNumberQuerySchema } from '@outdial/contracts';
import {
  defineDashboardContract,
  defineDashboardRoute,
  NO_BODY,
  NO_PARAMS,
  type Route,
} from '../../../http/define-route.ts';
import { nextAfter } from '../next-after.ts';
import { administrationOf, type OperationsDeps } from '../operations-deps.ts';
import { presentOperatedNumber } from './present-number.ts';

const contract = defineDashboardContract({
  access: 'operator',
  method: 'GET',
  path: '/api/dashboard/operations/numbers',
  params: NO_PARAMS,
  query: operatedNumberQuerySchema,
  body: NO_BODY,
  responses: { 200: operatedNumberListSchema },
  errors: [],
});

export function listOperatedNumbersRoute(deps: OperationsDeps): Route {
  return defineDashboardRoute(contract, async ({ principal, query }) => {
    const { search, account_id: accountId, after, limit } = query;
    const found = await administrationOf(deps, principal).numbers.find({ text: search, accountId, after, limit });
    const numbers = found.numbers.map((number) => presentOperatedNumber(number));
    return { status: 200, body: { numbers, next_after: nextAfter(numbers, found.hasMore, ({ id }) => id) } };
  });
}
