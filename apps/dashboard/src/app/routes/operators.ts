import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../page-not-loaded.ts';
import { signedInRoute } from './signed-in.tsx';

const accountsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/operations/accounts',
  component: lazyPage(() => import('../../features/operations/accounts/accounts-page.tsx'), 'OperatedAccountsPage'),
});

/** Not `$accountId`: the layout would take the account for the one that the user works in. */
const operatedAccountRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/operations/accounts/$operatedId',
  component: lazyPage(() => import('../../features/operations/accounts/account-page.tsx'), 'OperatedAccountPage'),
});

const numbersRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/operations/numbers',
  component: lazyPage(() => import('../../features/operations/numbers/numbers-page.tsx'), 'OperatedNumbersPage'),
});

const trunksRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/operations/trunks',
  component: lazyPage(() => import('../../features/operations/trunks/trunks-page.tsx'), 'TrunksPage'),
});

const providersRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/operations/providers',
  component: lazyPage(() => import('../../features/operations/providers/providers-page.tsx'), 'ProvidersPage'),
});

const ratesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/operations/rates',
  component: lazyPage(() => import('../../features/operations/rates/rates-page.tsx'), 'RatesPage'),
});

const usersRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/operations/users',
  component: lazyPage(() => import('../../features/operations/users/users-page.tsx'), 'UsersPage'),
});

const requestsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/operations/requests',
  component: lazyPage(
    () => import('../../features/operations/requests/operated-requests-page.tsx'),
    'OperatedRequestsPage',
  ),
});

export const operatorRoutes = [
  accountsRoute,
  operatedAccountRoute,
  numbersRoute,
  trunksRoute,
  providersRoute,
  ratesRoute,
  usersRoute,
  requestsRoute,
] as const;
