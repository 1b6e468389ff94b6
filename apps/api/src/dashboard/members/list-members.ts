import { memberListSchema } from '@outdial/contracts';
import type { Identity } from '@outdial/identity';
import {
  defineDashboardContract,
  defineDashboardRoute,
  NO_BODY,
  NO_PARAMS,
  NO_QUERY,
  type Route,
} from '../../http/define-route.ts';
import { presentInvitation, presentMember } from './present-member.ts';

const contract = defineDashboardContract({
  access: 'member',
  method: 'GET',
  path: '/api/dashboard/accounts/:account_id/members',
  params: NO_PARAMS,
  query: NO_QUERY,
  body: NO_BODY,
  responses: { 200: memberListSchema },
  errors: [],
});

export function listMembersRoute({
  identity,
}: {
  readonly identity: Pick<Identity, 'members' | 'invitations'>;
}): Route {
  return defineDashboardRoute(contract, async ({ principal: { account, role } }) => {
    const [members, invitations] = await Promise.all([
      identity.members.list(account.id),
      role === 'owner' ? identity.invitations.list(account.id) : [],
    ]);
    return {
      status: 200,
      body: { members: members.map(presentMember), invitations: invitations.map(presentInvitation) },
    };
  });
}
