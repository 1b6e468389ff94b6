import type { Database } from '@outdial/persistence';

export interface SignInAttempt {
  readonly email: string;
  /** Of the client; undefined where it is not known. */
  readonly address?: string | undefined;
}

/** Of one user within an hour. More says nothing new, and whoever guesses passwords must not fill the audit. */
const MAX_FAILURES = 10;
/** How many of the user's latest entries are looked at to count those failures. */
const LOOKED_AT = 50;

/** Records that the session of this digest was begun with a password. */
export async function auditSignIn(
  { side }: Pick<Database, 'side'>,
  digest: string,
  { address }: SignInAttempt,
): Promise<void> {
  await side.$executeRaw`
    INSERT INTO audit_entries (actor, action, subject_type, subject_id, data)
    SELECT 'user:' || s.user_id::text, 'user.sign_in', 'user', s.user_id::text,
           jsonb_strip_nulls(jsonb_build_object('address', ${address ?? null}::text))
    FROM sessions s WHERE s.token = ${digest}`;
}

/** Records a wrong password for a user. Of an address that no user has nothing is kept. */
export async function auditFailedSignIn(
  { side }: Pick<Database, 'side'>,
  { email, address }: SignInAttempt,
): Promise<void> {
  await side.$executeRaw`
    INSERT INTO audit_entries (actor, action, subject_type, subject_id, data)
    SELECT 'anonymous', 'user.sign_in_failed', 'user', u.id::text,
           jsonb_strip_nulls(jsonb_build_object('address', ${address ?? null}::text))
    FROM users u WHERE u.email = ${email.toLowerCase()} AND (
      SELECT count(*) FROM (
        SELECT a.action, a.at FROM audit_entries a WHERE a.subject_type = 'user' AND a.subject_id = u.id::text
        ORDER BY a.id DESC LIMIT ${LOOKED_AT}::int
      ) latest WHERE latest.action = 'user.sign_in_failed' AND latest.at > now() - interval '1 hour'
    ) < ${MAX_FAILURES}::int`;
}

/** Records what a user did to their own password. */
export async function auditOwnUser(
  { side }: Pick<Database, 'side'>,
  userId: string,
  action: 'user.change_password' | 'user.reset_password',
): Promise<void> {
  await side.$executeRaw`
    INSERT INTO audit_entries (actor, action, subject_type, subject_id)
    VALUES (${`user:${userId}`}, ${action}, 'user', ${userId})`;
}

/** A link that was sent to the address was used: whoever set the password reads the address's mail. */
export async function verifyByResetLink({ side }: Pick<Database, 'side'>, userId: string): Promise<void> {
  await side.$executeRaw`
    WITH changed AS (
      UPDATE users SET email_verified_at = clock_timestamp()
      WHERE id = ${userId}::uuid AND email_verified_at IS NULL RETURNING id
    )
    INSERT INTO audit_entries (actor, action, subject_type, subject_id, data)
    SELECT ${`user:${userId}`}, 'user.verify_email', 'user', c.id::text, '{"by": "password_reset"}' FROM changed c`;
}
