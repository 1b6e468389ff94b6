import { Outlet, useParams } from '@tanstack/react-router';
import { AccountContext } from '../../shared/session/account.ts';
import { membershipOf, useSession } from '../../shared/session/session.ts';
import { NotFoundPage } from './not-found-page.tsx';

/** Around every page of an account. Whoever comes is let in by the route; a membership may be lost while a page is open. */
export function AccountArea() {
  const { accountId = '' } = useParams({ strict: false });
  const membership = membershipOf(useSession(), accountId);
  if (membership === undefined) return <NotFoundPage />;
  return (
    <AccountContext value={membership}>
      <Outlet />
    </AccountContext>
  );
}
