import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { forgetAccounts } from '../../shared/session/sign-out.ts';
import { PendingPage } from './pending-page.tsx';

/** Replaces every page once the session has ended: redirects to the sign-in page, which then returns to this one. */
export function RedirectToSignIn() {
  const router = useRouter();
  const queryClient = useQueryClient();
  useEffect(() => {
    // After a deliberate sign-out the page is already there, and must not return.
    const { pathname, href } = router.latestLocation;
    if (pathname !== '/sign-in') void router.navigate({ to: '/sign-in', search: { next: href }, replace: true });
    return () => forgetAccounts(queryClient);
  }, [router, queryClient]);
  return <PendingPage />;
}
