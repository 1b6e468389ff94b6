import { onAccount, type AccountRoute, type Route } from '../http/define-route.ts';
import { accountRoutes, type AccountRoutesDeps } from './account-routes.ts';
import { identityRoutes, type IdentityRoutesDeps } from './identity-routes.ts';
import type { OperationsDeps } from './operations/operations-deps.ts';
import { operationsRoutes } from './operations/operations-routes.ts';

export type DashboardDeps = AccountRoutesDeps & IdentityRoutesDeps & OperationsDeps;

/** Every route of the dashboard: those of the public interface with a session instead of a key, and its own. */
export function dashboardRoutes(publicRoutes: readonly AccountRoute[], deps: DashboardDeps): readonly Route[] {
  const ofAccount = publicRoutes.map(onAccount);
  return [...ofAccount, ...identityRoutes(deps), ...accountRoutes(deps), ...operationsRoutes(deps)];
}
