import type { AccountId, Role } from '@outdial/contracts';
import type { Database } from '@outdial/persistence';
import { SESSION_IDLE_SECONDS, SESSION_SECONDS } from './auth.ts';
import type { Session, SessionDirectory, UserId } from './session.ts';

/** Renew only after this much of the idle time has passed, so that a session costs a write a day, not one a request. */
const RENEW_AFTER_SECONDS = 24 * 3_600;

interface SessionRow {
  readonly id: string;
  readonly digest: string;
  readonly userId: UserId;
  readonly name: string;
  readonly email: string;
  readonly isOperator: boolean;
  readonly isEmailVerified: boolean;
  readonly memberships: readonly {
    readonly accountId: AccountId;
    readonly accountName: string;
    readonly currency: string;
    readonly role: Role;
  }[];
  readonly needsRenewal: boolean;
}

/** Reads sessions from Postgres, each with its user and memberships, in one statement. */
export function createSessionDirectory({ side }: Database): SessionDirectory {
  return {
    async findSession(digest) {
      const [row] = await side.$queryRaw<SessionRow[]>`
        SELECT s.id, s.token AS digest, u.id AS "userId", u.name, u.email, u.is_operator AS "isOperator",
          u.email_verified_at IS NOT NULL AS "isEmailVerified",
          s.expires_at < LEAST(
            timezone('utc', now()) + make_interval(secs => ${SESSION_IDLE_SECONDS - RENEW_AFTER_SECONDS}),
            s.created_at + make_interval(secs => ${SESSION_SECONDS})) AS "needsRenewal",
          (SELECT COALESCE(json_agg(json_build_object('accountId', a.id, 'accountName', a.name,
                    'currency', a.currency, 'role', m.role) ORDER BY m.created_at, a.id), '[]')
           FROM memberships m JOIN accounts a ON a.id = m.account_id AND a.enabled
           WHERE m.user_id = u.id) AS memberships
        FROM sessions s JOIN users u ON u.id = s.user_id
        WHERE s.token = ${digest} AND u.disabled_at IS NULL AND s.expires_at > timezone('utc', now())
          AND s.created_at > timezone('utc', now()) - make_interval(secs => ${SESSION_SECONDS})`;
      if (!row) return null;
      if (row.needsRenewal) await renew(digest);
      return toSession(row);
    },
  };

  async function renew(digest: string): Promise<void> {
    await side.$executeRaw`
      UPDATE sessions SET updated_at = timezone('utc', now()), expires_at = LEAST(
        timezone('utc', now()) + make_interval(secs => ${SESSION_IDLE_SECONDS}),
        created_at + make_interval(secs => ${SESSION_SECONDS}))
      WHERE token = ${digest} AND expires_at > timezone('utc', now())`;
  }
}

function toSession({ id, digest, memberships, userId, name, email, isOperator, isEmailVerified }: SessionRow): Session {
  return { id, digest, memberships, user: { id: userId, name, email, isOperator, isEmailVerified } };
}
