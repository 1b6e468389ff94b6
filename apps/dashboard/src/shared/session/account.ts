import type { Membership } from '@outdial/contracts';
import { notFound, useParams } from '@tanstack/react-router';
import { membershipOf, useSession } from './session.ts';

/** The account of the page's URL and the user's role in it. Below `/accounts/{accountId}` alone. */
export function useAccount(): Membership & { readonly isOwner: boolean } {
  const { accountId = '' } = useParams({ strict: false });
  const membership = membershipOf(useSession(), accountId);
  // The route lets nobody else in; the membership was lost while the page was open.
  if (membership === undefined) throw notFound();
  return { ...membership, isOwner: membership.role === 'owner' };
}
