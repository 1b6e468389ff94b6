import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { forgetAccounts } from '../../shared/session/leave.ts';
import { PendingPage } from './pending-page.tsx';

/** In place of every page once the session has ended: leads to the sign-in, and from there back. */
export function LeadToSignIn() {
  const router = useRouter();
  const queryClient = useQueryClient();
  useEffect(() => {
    // Whoever signs out goes there by themselves, and not back.
    const { pathname, href } = router.latestLocation;
    if (pathname !== '/sign-in') void router.navigate({ to: '/sign-in', search: { next: href }, replace: true });
    return () => forgetAccounts(queryClient);
  }, [router, queryClient]);
  return <PendingPage />;
}
