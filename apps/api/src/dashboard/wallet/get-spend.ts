import { microsToDecimal, spendSchema } from '@outdial/contracts';
import {
  defineDashboardContract,
  defineDashboardRoute,
  NO_BODY,
  NO_PARAMS,
  NO_QUERY,
  type Route,
} from '../../http/define-route.ts';
import { ownAccountOf, type OwnAccountDeps } from '../../http/own-account.ts';

const contract = defineDashboardContract({
  access: 'member',
  method: 'GET',
  path: '/api/dashboard/accounts/:account_id/spend',
  params: NO_PARAMS,
  query: NO_QUERY,
  body: NO_BODY,
  responses: { 200: spendSchema },
  errors: [],
});

export function getSpendRoute(deps: OwnAccountDeps): Route {
  return defineDashboardRoute(contract, async ({ principal }) => {
    const days = await ownAccountOf(deps, principal).spend();
    const presented = days.map(({ date, costMicros, calls }) => ({ date, cost: microsToDecimal(costMicros), calls }));
    return { status: 200, body: { currency: principal.account.currency, days: presented } };
  });
}
