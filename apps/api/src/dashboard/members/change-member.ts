import { memberEnvelopeSchema, updateMemberSchema } from '@outdial/contracts';
import { userIdSchema, type Identity, type MemberOutcome } from '@outdial/identity';
import { unreachable } from '@outdial/kernel';
import { z } from 'zod';
import {
  defineDashboardContract,
  defineDashboardRoute,
  NO_BODY,
  NO_QUERY,
  type Route,
} from '../../http/define-route.ts';
import { ApiError } from '../../http/api-error.ts';
import { actorOf } from '../../http/principal.ts';
import { noContent } from '../../http/reply.ts';
import { presentMember } from './present-member.ts';

const COMMON = {
  access: 'owner',
  path: '/api/dashboard/accounts/:account_id/members/:user_id',
  params: z.object({ user_id: userIdSchema }),
  query: NO_QUERY,
} as const;

const updateContract = defineDashboardContract({
  ...COMMON,
  method: 'PATCH',
  body: updateMemberSchema,
  responses: { 200: memberEnvelopeSchema },
  errors: ['member_not_found', 'last_owner', 'origin_not_allowed', 'body_too_large', 'unsupported_media_type'],
});

const removeContract = defineDashboardContract({
  ...COMMON,
  method: 'DELETE',
  body: NO_BODY,
  responses: {},
  errors: ['member_not_found', 'last_owner', 'origin_not_allowed'],
});

export interface ChangeMemberDeps {
  readonly identity: Pick<Identity, 'members'>;
}

export function updateMemberRoute({ identity: { members } }: ChangeMemberDeps): Route {
  return defineDashboardRoute(updateContract, async ({ principal, params: { user_id: userId }, body: { role } }) => {
    const accountId = principal.account.id;
    requireChanged(await members.setRole({ accountId, userId, role, actor: actorOf(principal) }));
    const member = await members.find(accountId, userId);
    if (member === null) throw memberNotFound();
    return { status: 200, body: { member: presentMember(member) } };
  });
}

export function removeMemberRoute({ identity: { members } }: ChangeMemberDeps): Route {
  return defineDashboardRoute(removeContract, async ({ principal, params: { user_id: userId } }) => {
    requireChanged(await members.remove({ accountId: principal.account.id, userId, actor: actorOf(principal) }));
    return noContent();
  });
}

/** @throws ApiError */
function requireChanged({ kind }: MemberOutcome): void {
  switch (kind) {
    case 'changed':
      return;
    case 'member_not_found':
      throw memberNotFound();
    case 'last_owner':
      throw new ApiError({
        code: 'last_owner',
        publicMessage: 'The account has no other owner. Make another member an owner first.',
      });
    default:
      unreachable(kind);
  }
}

function memberNotFound(): ApiError {
  return new ApiError({
    code: 'member_not_found',
    publicMessage: 'The account has no member with this ID.',
    param: 'user_id',
  });
}
