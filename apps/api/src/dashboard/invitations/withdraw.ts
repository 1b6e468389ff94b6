import type { Identity } from '@outdial/identity';
import { z } from 'zod';
import {
  defineDashboardContract,
  defineDashboardRoute,
  NO_BODY,
  NO_QUERY,
  type Route,
} from '../../http/define-route.ts';
import { actorOf } from '../../http/principal.ts';
import { noContent } from '../../http/reply.ts';

const contract = defineDashboardContract({
  access: 'owner',
  method: 'DELETE',
  path: '/api/dashboard/accounts/:account_id/invitations/:invitation_id',
  params: z.object({ invitation_id: z.guid('must be a UUID').toLowerCase() }),
  query: NO_QUERY,
  body: NO_BODY,
  responses: {},
  errors: ['origin_not_allowed'],
});

/** Invalidates the link. An invitation that is not open counts as withdrawn. */
export function withdrawInvitationRoute({ identity }: { readonly identity: Pick<Identity, 'invitations'> }): Route {
  return defineDashboardRoute(contract, async ({ principal, params: { invitation_id: id } }) => {
    await identity.invitations.withdraw({ accountId: principal.account.id, id, actor: actorOf(principal) });
    return noContent();
  });
}
