import type { Route } from '../../http/define-route.ts';
import { listAuditRoute } from '../audit/audit.ts';
import { getOperationsRoute } from './get-operations.ts';
import { listOperatedAccountsRoute } from './list-accounts.ts';
import type { OperationsDeps } from './operations-deps.ts';
import { setDiallingRoute } from './set-dialling.ts';
import { setWorkerRoute } from './set-worker.ts';
import { topUpRoute } from './top-up.ts';

/** What operators of the platform see and steer, beside the queue itself. */
export function operationsRoutes(deps: OperationsDeps): readonly Route[] {
  return [
    getOperationsRoute(deps),
    setDiallingRoute(deps),
    setWorkerRoute(deps),
    listOperatedAccountsRoute(deps),
    topUpRoute(deps),
    listAuditRoute(deps),
  ];
}
