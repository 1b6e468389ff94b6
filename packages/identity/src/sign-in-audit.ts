import type { Database } from '@outdial/persistence';

export interface SignInAttempt {
  readonly email: string;
  /** The client's IP address, if known. */
  readonly address?: string | undefined;
}

/** Per user and hour. More entries add no information and would let an attacker who guesses passwords fill the audit. */
const MAX_FAILURES = 10;
/** How many of the user's latest entries are read to count those failures. */
const ENTRIES_READ = 50;

/** Records that the session of this digest started with a password. */
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

/** Records a wrong password for a user. Does nothing for an address without a user. */
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
        ORDER BY a.id DESC LIMIT ${ENTRIES_READ}::int
      ) latest WHERE latest.action = 'user.sign_in_failed' AND latest.at > now() - interval '1 hour'
    ) < ${MAX_FAILURES}::int`;
}

/** Records a user's change of their own password. */
export async function auditOwnUser(
  { side }: Pick<Database, 'side'>,
  userId: string,
  action: 'user.change_password' | 'user.reset_password',
): Promise<void> {
  await side.$executeRaw`
    INSERT INTO audit_entries (actor, action, subject_type, subject_id)
    VALUES (${`user:${userId}`}, ${action}, 'user', ${userId})`;
}

/** Verifies the address after a reset link was used: the user who set the password reads its mail. */
export async function verifyByResetLink({ side }: Pick<Database, 'side'>, userId: string): Promise<void> {
  await side.$executeRaw`
    WITH changed AS (
      UPDATE users SET email_verified_at = clock_timestamp()
      WHERE id = ${userId}::uuid AND email_verified_at IS NULL RETURNING id
    )
    INSERT INTO audit_entries (actor, action, subject_type, subject_id, data)
    SELECT ${`user:${userId}`}, 'user.verify_email', 'user', c.id::text, '{"by": "password_reset"}' FROM changed c`;
}
