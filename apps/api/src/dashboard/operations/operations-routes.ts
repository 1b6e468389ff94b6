import type { Route } from '../../http/define-route.ts';
import { listAuditRoute } from '../audit/audit.ts';
import { operatedAccountRoutes } from './accounts/account-routes.ts';
import { getOperationsRoute } from './get-operations.ts';
import { listOperatedAccountsRoute } from './list-accounts.ts';
import { changeNumberRoutes } from './numbers/change-numbers.ts';
import { listOperatedNumbersRoute } from './numbers/list-numbers.ts';
import type { OperationsDeps } from './operations-deps.ts';
import { listProvidersRoute } from './providers/list-providers.ts';
import { importRatesRoute } from './rates/import-rates.ts';
import { listRateRoutes } from './rates/list-rates.ts';
import { operatedRequestRoutes } from './requests/operated-requests.ts';
import { setDiallingRoute } from './set-dialling.ts';
import { setWorkerRoute } from './set-worker.ts';
import { topUpRoute } from './top-up.ts';
import { changeTrunkRoutes } from './trunks/change-trunks.ts';
import { listTrunksRoute } from './trunks/list-trunks.ts';
import { operatedUserRoutes } from './users/user-routes.ts';

/** What operators read and control, besides the queue itself. */
export function operationsRoutes(deps: OperationsDeps): readonly Route[] {
  return [
    getOperationsRoute(deps),
    setDiallingRoute(deps),
    setWorkerRoute(deps),
    listOperatedAccountsRoute(deps),
    ...operatedAccountRoutes(deps),
    topUpRoute(deps),
    listOperatedNumbersRoute(deps),
    ...changeNumberRoutes(deps),
    listTrunksRoute(deps),
    ...changeTrunkRoutes(deps),
    listProvidersRoute(deps),
    ...listRateRoutes(deps),
    importRatesRoute(deps),
    ...operatedUserRoutes(deps),
    ...operatedRequestRoutes(deps),
    listAuditRoute(deps),
  ];
}
