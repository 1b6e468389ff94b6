import type { QueryClient } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { FailedPage } from './layout/failed-page.tsx';
import { NotFoundPage } from './layout/not-found-page.tsx';
import { PendingPage } from './layout/pending-page.tsx';
import { accountRoutes } from './routes/account.ts';
import { openRoutes } from './routes/open.ts';
import { operatorRoutes } from './routes/operators.ts';
import { rootRoute } from './routes/root.tsx';
import { homeRoute, operationsRoute, platformAuditRoute, profileRoute, signedInRoute } from './routes/signed-in.tsx';
import { parseSearch, stringifySearch } from './search-params.ts';

const routeTree = rootRoute.addChildren([
  openRoutes,
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
    // Queries have their own idea of how old data may be.
    defaultPreloadStaleTime: 0,
    defaultPendingMs: 300,
    defaultPendingComponent: PendingPage,
    defaultErrorComponent: FailedPage,
    defaultNotFoundComponent: NotFoundPage,
    scrollRestoration: true,
    // What is about another account, or another call of it, is another page: nothing that was collected or typed stays.
    defaultRemountDeps: ({ params }) => params,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
