import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from './signed-in.tsx';

const accountsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/operations/accounts',
  component: lazyRouteComponent(
    () => import('../../features/operations/accounts/accounts-page.tsx'),
    'OperatedAccountsPage',
  ),
});

/** Not `$accountId`: the layout would take the account for the one that the user works in. */
const operatedAccountRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/operations/accounts/$operatedId',
  component: lazyRouteComponent(
    () => import('../../features/operations/accounts/account-page.tsx'),
    'OperatedAccountPage',
  ),
});

const numbersRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/operations/numbers',
  component: lazyRouteComponent(
    () => import('../../features/operations/numbers/numbers-page.tsx'),
    'OperatedNumbersPage',
  ),
});

const trunksRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/operations/trunks',
  component: lazyRouteComponent(() => import('../../features/operations/trunks/trunks-page.tsx'), 'TrunksPage'),
});

const ratesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/operations/rates',
  component: lazyRouteComponent(() => import('../../features/operations/rates/rates-page.tsx'), 'RatesPage'),
});

const usersRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/operations/users',
  component: lazyRouteComponent(() => import('../../features/operations/users/users-page.tsx'), 'UsersPage'),
});

const requestsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/operations/requests',
  component: lazyRouteComponent(
    () => import('../../features/operations/requests/operated-requests-page.tsx'),
    'OperatedRequestsPage',
  ),
});

export const operatorRoutes = [
  accountsRoute,
  operatedAccountRoute,
  numbersRoute,
  trunksRoute,
  ratesRoute,
  usersRoute,
  requestsRoute,
] as const;
