import type { QueryClient } from '@tanstack/react-query';
import { sessionQuery } from './session.ts';

/** Marks the session as ended on this page. The layout then redirects to the sign-in page. */
export function markSignedOut(queryClient: QueryClient): void {
  queryClient.setQueryData(sessionQuery.queryKey, null);
}

/**
 * Drops all cached data, so that the next user of the tab sees none. Call it after every page is unmounted: a mounted
 * one would fetch its data again.
 */
export function forgetAccounts(queryClient: QueryClient): void {
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
}
