import { createRoute, redirect } from '@tanstack/react-router';
import { signInSearchSchema } from '../../features/session/search.ts';
import { sessionQuery } from '../../shared/session/session.ts';
import { lazyPage } from '../page-not-loaded.ts';
import { rootRoute, type RouterContext } from './root.tsx';

/** The pages that need no sign-in. */
const publicRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'public',
  component: lazyPage(() => import('../layout/public-layout.tsx'), 'PublicLayout'),
});

/** Takes a signed-in user on to `next`: the sign-in pages are of no use to them. */
async function redirectSignedIn({ queryClient }: RouterContext, next: string): Promise<void> {
  const session = queryClient.getQueryData(sessionQuery.queryKey);
  if (session !== undefined && session !== null) throw redirect({ href: next, replace: true });
}

const signInRoute = createRoute({
  getParentRoute: () => publicRoute,
  path: '/sign-in',
  validateSearch: signInSearchSchema,
  beforeLoad: ({ context, search }) => redirectSignedIn(context, search.next ?? '/'),
  component: lazyPage(() => import('../../features/session/sign-in-page.tsx'), 'SignInPage'),
});

const signUpRoute = createRoute({
  getParentRoute: () => publicRoute,
  path: '/sign-up',
  beforeLoad: ({ context }) => redirectSignedIn(context, '/'),
  component: lazyPage(() => import('../../features/session/sign-up-page.tsx'), 'SignUpPage'),
});

const forgotPasswordRoute = createRoute({
  getParentRoute: () => publicRoute,
  path: '/forgot-password',
  component: lazyPage(() => import('../../features/session/forgot-password-page.tsx'), 'ForgotPasswordPage'),
});

const resetPasswordRoute = createRoute({
  getParentRoute: () => publicRoute,
  path: '/reset-password',
  component: lazyPage(() => import('../../features/session/reset-password-page.tsx'), 'ResetPasswordPage'),
});

const invitationRoute = createRoute({
  getParentRoute: () => publicRoute,
  path: '/invitation',
  component: lazyPage(() => import('../../features/session/invitation-page.tsx'), 'InvitationPage'),
});

const verifyEmailRoute = createRoute({
  getParentRoute: () => publicRoute,
  path: '/verify-email',
  component: lazyPage(() => import('../../features/session/verify-email-page.tsx'), 'VerifyEmailPage'),
});

export const publicRoutes = publicRoute.addChildren([
  signInRoute,
  signUpRoute,
  forgotPasswordRoute,
  resetPasswordRoute,
  invitationRoute,
  verifyEmailRoute,
]);
