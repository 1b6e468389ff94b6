import type { Membership } from '@outdial/contracts';
import { createContext, use } from 'react';

/** Provided by the layout. A page that read the session itself could see a lost membership before the layout does. */
export const AccountContext = createContext<Membership | null>(null);

/** The account of the page's URL and the user's role in it. Only below `/accounts/{accountId}`. */
export function useAccount(): Membership & { readonly isOwner: boolean } {
  const membership = use(AccountContext);
  if (membership === null)
    throw new Error('useAccount needs an AccountContext: only the pages of an account may call it');
  return { ...membership, isOwner: membership.role === 'owner' };
}
