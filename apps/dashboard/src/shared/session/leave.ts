import type { QueryClient } from '@tanstack/react-query';
import { sessionQuery } from './session.ts';

/** From now on nobody is signed in, as far as this page knows. The layout leads to where that can be changed. */
export function noteSignedOut(queryClient: QueryClient): void {
  queryClient.setQueryData(sessionQuery.queryKey, null);
}

/** Nothing of what was seen stays for whoever signs in next. Once no page shows it: one that does would ask for it anew. */
export function forgetAccounts(queryClient: QueryClient): void {
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
}
