import { operatedAccountListSchema, operatedAccountQuerySchema } from '@outdial/contracts';
import {
  defineDashboardContract,
  defineDashboardRoute,
  NO_BODY,
  NO_PARAMS,
  type Route,
} from '../../http/define-route.ts';
import { nextAfter } from './next-after.ts';
import { administrationOf, type OperationsDeps } from './operations-deps.ts';
import { presentOperatedAccount } from './present-account.ts';

const contract = defineDashboardContract({
  access: 'operator',
  method: 'GET',
  path: '/api/dashboard/operations/accounts',
  params: NO_PARAMS,
  query: operatedAccountQuerySchema,
  body: NO_BODY,
  responses: { 200: operatedAccountListSchema },
  errors: [],
});

export function listOperatedAccountsRoute(deps: OperationsDeps): Route {
  return defineDashboardRoute(contract, async ({ principal, query: { search, after, limit } }) => {
    const found = await administrationOf(deps, principal).accounts.find({ text: search, after, limit });
    const accounts = found.accounts.map((account) => presentOperatedAccount(account));
    return { status: 200, body: { accounts, next_after: nextAfter(accounts, found.hasMore, ({ id }) => id) } };
  });
}
