import { randomUUID } from 'node:crypto';
import { auditPart, type Database } from '@outdial/persistence';
import type { UserId } from './session.ts';
import { newToken, tokenDigest } from './token.ts';

/** A day, for users who read the e-mail the next morning. */
const LIFETIME_SECONDS = 24 * 3_600;

/** Verifies that a user reads the mail of the address that they signed up with. */
export interface EmailVerifications {
  /** Returns the token for a new link; older links of the user stop working. Null: the address is verified already. */
  create(userId: UserId): Promise<string | null>;
  /**
   * False if the link is invalid, expired or another user's. Only the signed-in user can use it. Otherwise, a person
   * who gets the mail of a stranger's sign-up would verify their own address for the stranger with one click.
   */
  complete(userId: UserId, token: string): Promise<boolean>;
}

export function createEmailVerifications({ side }: Pick<Database, 'side'>): EmailVerifications {
  return {
    async create(userId) {
      const token = newToken();
      const created = await side.$executeRaw`
        INSERT INTO email_verifications (id, user_id, token_digest, expires_at)
        SELECT ${randomUUID()}::uuid, u.id, ${tokenDigest(token)}, now() + make_interval(secs => ${LIFETIME_SECONDS})
        FROM users u WHERE u.id = ${userId}::uuid AND u.email_verified_at IS NULL
        ON CONFLICT (user_id) DO UPDATE SET token_digest = excluded.token_digest, expires_at = excluded.expires_at`;
      return created === 1 ? token : null;
    },
    async complete(userId, token) {
      const [counted] = await side.$queryRaw<{ readonly used: number }[]>`
        WITH used AS (
          DELETE FROM email_verifications v
          WHERE v.user_id = ${userId}::uuid AND v.token_digest = ${tokenDigest(token)} AND v.expires_at > now()
          RETURNING v.user_id
        ), changed AS (
          UPDATE users u SET email_verified_at = clock_timestamp() FROM used
          WHERE u.id = used.user_id AND u.email_verified_at IS NULL RETURNING u.id
        ), ${auditPart(`user:${userId}`, { action: 'user.verify_email', subjectId: userId, data: { by: 'link' } })}
        SELECT count(*)::int AS used FROM used`;
      return counted?.used === 1;
    },
  };
}
