import { randomUUID } from 'node:crypto';
import { auditPart, Prisma, type Database } from '@outdial/persistence';
import type { NewEmail } from './mail/email-content.ts';
import type { Outbox } from './mail/outbox.ts';
import type { UserId } from './session.ts';
import { newToken, tokenDigest } from './token.ts';

/** A day, for users who read the e-mail the next morning. */
const LIFETIME_SECONDS = 24 * 3_600;

/** Verifies that a user reads the mail of the address that they signed up with. */
export interface EmailVerifications {
  /** Sends a new link; older links of the user stop working. Does nothing if the address is verified. */
  request(user: { readonly id: UserId; readonly email: string }): Promise<void>;
  isValid(userId: string, token: string): Promise<boolean>;
  /**
   * False if the link is invalid, expired or another user's. Only the signed-in user can use it. Otherwise, a person
   * who gets the mail of a stranger's sign-up would verify their own address for the stranger with one click.
   */
  complete(userId: UserId, token: string): Promise<boolean>;
}

/**
 * The CTEs that create a link for the user in the CTE `changed`, with its e-mail. `sent` goes to the outbox once the
 * statement has committed.
 */
export function verificationParts(
  outbox: Outbox,
  { id, email: to }: { readonly id: UserId; readonly email: string },
): { readonly parts: Prisma.Sql; readonly sent: NewEmail } {
  const token = newToken();
  const content = { kind: 'email_verification', to, userId: id, token } as const;
  const sent = { content, accountId: null, lifetimeSeconds: LIFETIME_SECONDS };
  const parts = Prisma.sql`verification AS (
      INSERT INTO email_verifications (id, user_id, token_digest, expires_at)
      SELECT ${randomUUID()}::uuid, c.id, ${tokenDigest(token)}, now() + make_interval(secs => ${LIFETIME_SECONDS})
      FROM changed c
      ON CONFLICT (user_id) DO UPDATE SET token_digest = excluded.token_digest, expires_at = excluded.expires_at
    ), ${outbox.part(sent)}`;
  return { parts, sent };
}

export function createEmailVerifications({ side }: Pick<Database, 'side'>, outbox: Outbox): EmailVerifications {
  return {
    async request(user) {
      const { parts, sent } = verificationParts(outbox, user);
      const [row] = await side.$queryRaw<{ readonly created: number }[]>`
        WITH changed AS (
          SELECT u.id FROM users u WHERE u.id = ${user.id}::uuid AND u.email_verified_at IS NULL
        ), ${parts}
        SELECT count(*)::int AS created FROM changed`;
      if (row?.created === 1) outbox.committed(sent);
    },
    async isValid(userId, token) {
      const [row] = await side.$queryRaw<{ readonly valid: boolean }[]>`
        SELECT EXISTS (
          SELECT FROM email_verifications v
          WHERE v.user_id = ${userId}::uuid AND v.token_digest = ${tokenDigest(token)} AND v.expires_at > now()) AS valid`;
      return row?.valid === true;
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
