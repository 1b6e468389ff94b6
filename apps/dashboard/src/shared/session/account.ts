import type { Membership } from '@outdial/contracts';
import { useParams } from '@tanstack/react-router';
import { membershipOf, useSession } from './session.ts';

/** The account of the page's URL and the user's role in it. Below `/accounts/{accountId}` alone. */
export function useAccount(): Membership & { readonly isOwner: boolean } {
  const { accountId = '' } = useParams({ strict: false });
  const membership = membershipOf(useSession(), accountId);
  if (membership === undefined) throw new Error('the pages of an account are shown to its members alone');
  return { ...membership, isOwner: membership.role === 'owner' };
}
