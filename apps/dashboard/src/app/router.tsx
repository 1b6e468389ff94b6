import type { QueryClient } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { FailedPage } from './layout/failed-page.tsx';
import { NotFoundPage } from './layout/not-found-page.tsx';
import { PendingPage } from './layout/pending-page.tsx';
import { accountRoutes } from './routes/account.ts';
import { publicRoutes } from './routes/public.ts';
import { operatorRoutes } from './routes/operators.ts';
import { rootRoute } from './routes/root.tsx';
import { homeRoute, operationsRoute, platformAuditRoute, profileRoute, signedInRoute } from './routes/signed-in.tsx';
import { parseSearch, stringifySearch } from './search-params.ts';

const routeTree = rootRoute.addChildren([
  publicRoutes,
  signedInRoute.addChildren([
    homeRoute,
    profileRoute,
    operationsRoute,
    ...operatorRoutes,
    platformAuditRoute,
    accountRoutes,
  ]),
]);

export function createAppRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    // Each query sets its own stale time.
    defaultPreloadStaleTime: 0,
    defaultPendingMs: 300,
    defaultPendingComponent: PendingPage,
    defaultErrorComponent: FailedPage,
    defaultNotFoundComponent: NotFoundPage,
    scrollRestoration: true,
    // Another account or another call is another page: remount it, so that no state carries over.
    defaultRemountDeps: ({ params }) => params,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
