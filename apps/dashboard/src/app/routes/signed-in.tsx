import { createRoute, redirect } from '@tanstack/react-router';
import { sessionQuery } from '../../shared/session/session.ts';
import { chooseAccount } from '../../shared/session/last-account.ts';
import { lazyPage } from '../page-not-loaded.ts';
import { rootRoute } from './root.tsx';

/** Redirects a visitor to the sign-in page, which returns here afterwards. */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: async ({ context, location }) => {
    const session = await context.queryClient.ensureQueryData(sessionQuery);
    if (session !== null) return { session };
    const next = location.pathname === '/' ? undefined : location.href;
    throw redirect({ to: '/sign-in', search: { next }, replace: true });
  },
  component: lazyPage(() => import('../layout/app-layout.tsx'), 'AppLayout'),
});

/** Redirects to the last account that the user opened, or to the profile when the user has no account. */
export const homeRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/',
  beforeLoad: ({ context }) => {
    const account = chooseAccount(context.session.memberships);
    if (account === undefined) throw redirect({ to: '/profile', replace: true });
    throw redirect({ to: '/accounts/$accountId/overview', params: { accountId: account.account_id }, replace: true });
  },
});

export const profileRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/profile',
  component: lazyPage(() => import('../../features/profile/profile-page.tsx'), 'ProfilePage'),
});

export const operationsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/operations',
  component: lazyPage(() => import('../../features/operations/operations-page.tsx'), 'OperationsPage'),
});

export const platformAuditRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/operations/audit',
  component: lazyPage(() => import('../../features/audit/audit-page.tsx'), 'PlatformAuditPage'),
});
