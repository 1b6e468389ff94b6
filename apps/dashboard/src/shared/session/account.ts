import type { Membership } from '@outdial/contracts';
import { createContext, use } from 'react';

/** Told from above: a page that asked by itself could learn that a membership is lost before what is around it does. */
export const AccountContext = createContext<Membership | null>(null);

/** The account of the page's URL and the user's role in it. Below `/accounts/{accountId}` alone. */
export function useAccount(): Membership & { readonly isOwner: boolean } {
  const membership = use(AccountContext);
  if (membership === null) throw new Error('the pages of an account are shown to its members alone');
  return { ...membership, isOwner: membership.role === 'owner' };
}
