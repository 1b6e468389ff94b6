import {
  operatedUserEnvelopeSchema,
  operatedUserListSchema,
  operatedUserQuerySchema,
  setEnabledSchema,
  setOperatorSchema,
  type OperatedUserBody,
} from '@outdial/contracts';
import { userIdSchema, type UserId } from '@outdial/identity';
import type { UserRecord } from '@outdial/identity/users';
import { timestamp } from '@outdial/presentation';
import { z } from 'zod';
import {
  defineDashboardContract,
  defineDashboardRoute,
  NO_BODY,
  NO_PARAMS,
  NO_QUERY,
  type Route,
} from '../../../http/define-route.ts';
import { ApiError } from '../../../http/api-error.ts';
import type { UserPrincipal } from '../../../http/principal.ts';
import { nextAfter } from '../next-after.ts';
import { operatorOf, type OperationsDeps } from '../operations-deps.ts';
import { toApiError } from '../refusals.ts';

const common = {
  access: 'operator',
  params: z.object({ user_id: userIdSchema }),
  query: NO_QUERY,
  responses: { 200: operatedUserEnvelopeSchema },
} as const;
const COMMON_ERRORS = ['user_not_found', 'origin_not_allowed', 'body_too_large', 'unsupported_media_type'] as const;

const listContract = defineDashboardContract({
  access: 'operator',
  method: 'GET',
  path: '/api/dashboard/operations/users',
  params: NO_PARAMS,
  query: operatedUserQuerySchema,
  body: NO_BODY,
  responses: { 200: operatedUserListSchema },
  errors: [],
});

const operatorContract = defineDashboardContract({
  ...common,
  method: 'PUT',
  path: '/api/dashboard/operations/users/:user_id/operator',
  body: setOperatorSchema,
  errors: ['own_user', 'email_not_verified', ...COMMON_ERRORS],
});

const enabledContract = defineDashboardContract({
  ...common,
  method: 'PUT',
  path: '/api/dashboard/operations/users/:user_id/enabled',
  body: setEnabledSchema,
  errors: ['own_user', ...COMMON_ERRORS],
});

const sessionsContract = defineDashboardContract({
  ...common,
  method: 'DELETE',
  path: '/api/dashboard/operations/users/:user_id/sessions',
  body: NO_BODY,
  errors: ['user_not_found', 'origin_not_allowed'],
});

/** All users. */
export function operatedUserRoutes(deps: OperationsDeps): readonly Route[] {
  const usersOf = (principal: UserPrincipal) => deps.openUsers(operatorOf(principal));
  return [
    defineDashboardRoute(listContract, async ({ principal, query: { search, after, limit } }) => {
      const last = after === undefined ? undefined : userIdSchema.parse(after);
      const found = await usersOf(principal).find({ text: search, after: last, limit });
      const users = found.users.map((user) => presentUser(user));
      return { status: 200, body: { users, next_after: nextAfter(users, found.hasMore, ({ id }) => id) } };
    }),
    defineDashboardRoute(operatorContract, async ({ principal, params: { user_id: userId }, body }) => {
      const { is_operator: isOperator } = body;
      if (!isOperator) requireAnother(principal, userId, 'remove your own operator role');
      const users = usersOf(principal);
      if (isOperator) requireVerified(await users.showById(userId).catch(toApiError));
      const user = await users.setOperator({ userId }, isOperator).catch(toApiError);
      return { status: 200, body: { user: presentUser(user) } };
    }),
    defineDashboardRoute(enabledContract, async ({ principal, params: { user_id: userId }, body: { enabled } }) => {
      if (!enabled) requireAnother(principal, userId, 'disable yourself');
      const user = await usersOf(principal).setEnabled(userId, enabled).catch(toApiError);
      return { status: 200, body: { user: presentUser(user) } };
    }),
    defineDashboardRoute(sessionsContract, async ({ principal, params: { user_id: userId } }) => {
      const user = await usersOf(principal).endSessions(userId).catch(toApiError);
      return { status: 200, body: { user: presentUser(user) } };
    }),
  ];
}

/**
 * The page names users by address: a stranger may have signed up with an address that is not theirs. @throws ApiError
 */
function requireVerified({ email, emailVerifiedAtMs }: UserRecord): void {
  if (emailVerifiedAtMs !== null) return;
  throw new ApiError({
    code: 'email_not_verified',
    publicMessage: `${email} is not confirmed. Ask the user to confirm it, or run \`npm run admin -- users verify-email ${email}\`.`,
    param: 'user_id',
  });
}

/**
 * Without this rule, the last operator could leave an installation that only the command line can reach.
 * @throws ApiError
 */
function requireAnother({ session }: UserPrincipal, userId: UserId, what: string): void {
  if (session.user.id !== userId) return;
  throw new ApiError({
    code: 'own_user',
    publicMessage: `You cannot ${what}. Ask another operator.`,
    param: 'user_id',
  });
}

function presentUser(user: UserRecord): OperatedUserBody {
  const { id, name, email, isOperator, disabledAtMs, createdAtMs, memberships } = user;
  return {
    id,
    name,
    email,
    is_operator: isOperator,
    enabled: disabledAtMs === null,
    created_at: timestamp(createdAtMs),
    memberships: memberships.map(({ accountId, accountName, role }) => ({
      account_id: accountId,
      account_name: accountName,
      role,
    })),
  };
}
