import { Outlet, useParams } from '@tanstack/react-router';
import { Notices } from '../../features/notices/notices.tsx';
import { AccountContext } from '../../shared/session/account.ts';
import { membershipOf, useSession } from '../../shared/session/session.ts';
import { NotFoundPage } from './not-found-page.tsx';

/** Wraps every page of an account. The route checks the membership on entry; this also covers one that ends later. */
export function AccountArea() {
  const { accountId = '' } = useParams({ strict: false });
  const membership = membershipOf(useSession(), accountId);
  if (membership === undefined) return <NotFoundPage />;
  return (
    <AccountContext value={membership}>
      <Notices accountId={membership.account_id} />
      <Outlet />
    </AccountContext>
  );
}
