import { operatedAccountListSchema } from '@outdial/contracts';
import {
  defineDashboardContract,
  defineDashboardRoute,
  NO_BODY,
  NO_PARAMS,
  NO_QUERY,
  type Route,
} from '../../http/define-route.ts';
import { administrationOf, type OperationsDeps } from './operations-deps.ts';
import { presentOperatedAccount } from './present-account.ts';

const contract = defineDashboardContract({
  access: 'operator',
  method: 'GET',
  path: '/api/dashboard/operations/accounts',
  params: NO_PARAMS,
  query: NO_QUERY,
  body: NO_BODY,
  responses: { 200: operatedAccountListSchema },
  errors: [],
});

export function listOperatedAccountsRoute(deps: OperationsDeps): Route {
  return defineDashboardRoute(contract, async ({ principal }) => {
    const accounts = await administrationOf(deps, principal).accounts.list();
    return { status: 200, body: { accounts: accounts.map((account) => presentOperatedAccount(account)) } };
  });
}
