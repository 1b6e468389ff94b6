import type { AccountProfile, Directory } from '@outdial/calls';
import { accountIdSchema } from '@outdial/contracts';
import { tokenDigest, type Membership, type Session } from '@outdial/identity';
import { z } from 'zod';
import { ApiError } from '../http/api-error.ts';
import type { AccountPrincipal, AccessChecks, MemberPrincipal, Message, UserPrincipal } from '../http/principal.ts';
import type { AccountRateLimit } from '../http/account-rate-limit.ts';
import type { RateLimit } from '../http/rate-limit.ts';
import { sessionTokenIn } from './cookie.ts';
import { requireOwnOrigin } from './own-origin.ts';
import type { Sessions } from './sessions.ts';

export interface SessionAccessDeps {
  readonly sessions: Sessions;
  readonly directory: Pick<Directory, 'findAccount'>;
  /** Counts a user's requests. */
  readonly rateLimit: RateLimit;
  /** Counts the requests of all members of an account. */
  readonly accountRateLimit: AccountRateLimit;
  /** The origin of the dashboard's public address. */
  readonly publicOrigin: () => string;
}

const accountParams = z.object({ account_id: accountIdSchema });

/** Access of signed-in users to their accounts, and of operators to the platform. */
export function sessionAccessChecks(deps: SessionAccessDeps): Omit<AccessChecks, 'api_key'> {
  const { sessions, rateLimit, publicOrigin } = deps;

  async function user(message: Message): Promise<UserPrincipal> {
    requireOwnOrigin(message, publicOrigin());
    const token = sessionTokenIn(message.rawHeaders);
    const session = token === null ? null : await sessions.findFrom(tokenDigest(token), message.ip ?? '');
    if (session === null) throw notSignedIn();
    await rateLimit({ id: session.user.id, requestsPerSecond: null });
    return { session, address: message.ip ?? '' };
  }

  async function member(message: Message, params: unknown): Promise<MemberPrincipal> {
    const { session, address } = await user(message);
    const path = accountParams.safeParse(params);
    const found = path.success ? await membershipOf(deps, session, path.data.account_id) : null;
    if (found === null) throw accountNotFound();
    const { account, membership } = found;
    await deps.accountRateLimit(account.id, null);
    return { account, session, address, role: membership.role, caller: { kind: 'session', session } };
  }

  return {
    async anybody(message) {
      requireOwnOrigin(message, publicOrigin());
      return { address: message.ip ?? '', sessionToken: sessionTokenIn(message.rawHeaders) };
    },
    user,
    member,
    async owner(message, params) {
      const principal = await member(message, params);
      if (principal.role === 'owner') return principal;
      throw refused('owner_only', 'Only account owners can do this. Ask an owner.');
    },
    async operator(message) {
      const principal = await user(message);
      if (principal.session.user.isOperator) return principal;
      throw refused('operator_only', 'Only operators can do this.');
    },
  };
}

async function membershipOf(
  { sessions, directory }: SessionAccessDeps,
  session: Session,
  accountId: string,
): Promise<{ readonly account: AccountProfile; readonly membership: Membership } | null> {
  const isOfAccount = (membership: Membership) => membership.accountId === accountId;
  // The session may not show a membership that is a moment old.
  const known = session.memberships.find(isOfAccount);
  const membership = known ?? (await sessions.findNow(session.digest))?.memberships.find(isOfAccount);
  if (membership === undefined) return null;
  const account = await directory.findAccount(membership.accountId);
  return account?.enabled ? { account, membership } : null;
}

/** Whether a session still has access: an open stream must end with it. */
export function createSessionCheck(sessions: Pick<Sessions, 'find'>) {
  return async function isStillMember(session: Session, account: AccountPrincipal['account']): Promise<boolean> {
    const now = await sessions.find(session.digest);
    return now !== null && now.memberships.some(({ accountId }) => accountId === account.id);
  };
}

/** RFC 9110 section 11.6.1 wants a challenge with a 401; browsers ask for a password only at a scheme they know. */
export const SESSION_CHALLENGE = { 'WWW-Authenticate': 'Session realm="outdial"' };

/** Without a session, or with one that has ended; it may have ended since the access check. */
export function notSignedIn(): ApiError {
  return new ApiError({
    code: 'not_signed_in',
    publicMessage: 'You are signed out. Sign in and try again.',
    headers: SESSION_CHALLENGE,
  });
}

/** The same for an unknown account and for an account of others: the response reveals no account. */
function accountNotFound(): ApiError {
  return new ApiError({
    code: 'account_not_found',
    publicMessage: 'You are not a member of an account with this ID.',
    param: 'account_id',
  });
}

function refused(code: 'owner_only' | 'operator_only', publicMessage: string): ApiError {
  return new ApiError({ code, publicMessage });
}
