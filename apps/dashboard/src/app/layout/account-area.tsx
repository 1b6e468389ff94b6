import { Outlet, useParams } from '@tanstack/react-router';
import { membershipOf, useSession } from '../../shared/session/session.ts';
import { NotFoundPage } from './not-found-page.tsx';

/** Around every page of an account. Whoever comes is let in by the route; a membership may be lost while a page is open. */
export function AccountArea() {
  const { accountId = '' } = useParams({ strict: false });
  return membershipOf(useSession(), accountId) === undefined ? <NotFoundPage /> : <Outlet />;
}
