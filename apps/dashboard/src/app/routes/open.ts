import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { signInSearchSchema } from '../../features/session/search.ts';
import { sessionQuery } from '../../shared/session/session.ts';
import { loaded } from '../page-not-loaded.ts';
import { rootRoute, type RouterContext } from './root.tsx';

/** What may be seen without signing in. */
const openRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'open',
  component: lazyRouteComponent(() => loaded(import('../layout/open-layout.tsx')), 'OpenLayout'),
});

/** Whoever has signed in has nothing to do on the pages for it. */
async function leadOn({ queryClient }: RouterContext, next: string): Promise<void> {
  const session = queryClient.getQueryData(sessionQuery.queryKey);
  if (session !== undefined && session !== null) throw redirect({ href: next, replace: true });
}

const signInRoute = createRoute({
  getParentRoute: () => openRoute,
  path: '/sign-in',
  validateSearch: signInSearchSchema,
  beforeLoad: ({ context, search }) => leadOn(context, search.next ?? '/'),
  component: lazyRouteComponent(() => loaded(import('../../features/session/sign-in-page.tsx')), 'SignInPage'),
});

const signUpRoute = createRoute({
  getParentRoute: () => openRoute,
  path: '/sign-up',
  beforeLoad: ({ context }) => leadOn(context, '/'),
  component: lazyRouteComponent(() => loaded(import('../../features/session/sign-up-page.tsx')), 'SignUpPage'),
});

const forgotPasswordRoute = createRoute({
  getParentRoute: () => openRoute,
  path: '/forgot-password',
  component: lazyRouteComponent(
    () => loaded(import('../../features/session/forgot-password-page.tsx')),
    'ForgotPasswordPage',
  ),
});

const resetPasswordRoute = createRoute({
  getParentRoute: () => openRoute,
  path: '/reset-password',
  component: lazyRouteComponent(
    () => loaded(import('../../features/session/reset-password-page.tsx')),
    'ResetPasswordPage',
  ),
});

const invitationRoute = createRoute({
  getParentRoute: () => openRoute,
  path: '/invitation',
  component: lazyRouteComponent(() => loaded(import('../../features/session/invitation-page.tsx')), 'InvitationPage'),
});

const verifyEmailRoute = createRoute({
  getParentRoute: () => openRoute,
  path: '/verify-email',
  component: lazyRouteComponent(() => import('../../features/session/verify-email-page.tsx'), 'VerifyEmailPage'),
});

export const openRoutes = openRoute.addChildren([
  signInRoute,
  signUpRoute,
  forgotPasswordRoute,
  resetPasswordRoute,
  invitationRoute,
  verifyEmailRoute,
]);
