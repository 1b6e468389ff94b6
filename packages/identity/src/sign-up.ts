import { randomUUID } from 'node:crypto';
import { auditPart, type Database } from '@outdial/persistence';
import { verificationParts } from './email-verification.ts';
import { IS_VALID } from './invitations.ts';
import { joinAudit } from './join-audit.ts';
import type { Outbox } from './mail/outbox.ts';
import { hashPassword } from './passwords.ts';
import { userIdSchema, type UserId } from './session.ts';
import { tokenDigest } from './token.ts';
import { trialParts, type Trial } from './trial.ts';

export interface NewUser {
  readonly name: string;
  /** Lower case. */
  readonly email: string;
  readonly password: string;
}

export type SignUpOutcome =
  | { readonly kind: 'signed_up'; readonly userId: UserId }
  | { readonly kind: 'email_taken' }
  | { readonly kind: 'link_not_valid' }
  /** The invitation is for that address, and the user signed up with another one. */
  | { readonly kind: 'other_address'; readonly invitedEmail: string };

interface OwnAccount {
  readonly accountName: string;
  readonly currency: string;
  /** Null if the account gets no trial. */
  readonly trial: Trial | null;
}

export interface SignUpContext {
  readonly database: Pick<Database, 'side'>;
  readonly outbox: Outbox;
}

/** Creates a user and its account, with the trial and the link to verify the address, in one statement. */
export async function signUpWithAccount(
  { database: { side }, outbox }: SignUpContext,
  user: NewUser & OwnAccount,
): Promise<SignUpOutcome> {
  const { name, email, accountName, currency, trial } = user;
  const parts = trialParts(trial);
  const userId = userIdSchema.parse(randomUUID());
  const accountId = randomUUID();
  const password = await hashPassword(user.password);
  const data = { account_id: accountId, account_name: accountName, currency };
  const audit = auditPart(`user:${userId}`, { action: 'user.sign_up', subjectId: userId, data });
  const verification = verificationParts(outbox, { id: userId, email });
  const created = await side.$executeRaw`
    WITH changed AS (
      INSERT INTO users (id, name, email) VALUES (${userId}::uuid, ${name}, ${email})
      ON CONFLICT (email) DO NOTHING RETURNING id
    ), credential AS (
      INSERT INTO user_credentials (id, user_id, provider, subject, password)
      SELECT ${randomUUID()}::uuid, c.id, 'credential', c.id::text, ${password} FROM changed c
    ), ${parts.trial}, account AS (
      INSERT INTO accounts (id, name, currency, may_use_system_number)
      SELECT ${accountId}::uuid, ${accountName}, ${currency}, EXISTS (SELECT FROM trial) FROM changed RETURNING id
    ), wallet AS (
      INSERT INTO wallets (account_id, balance_micros)
      SELECT a.id, COALESCE((SELECT t.micros FROM trial t), 0) FROM account a
    ), ${parts.ledger}, ${audit}, ${verification.parts}
    INSERT INTO memberships (user_id, account_id, role) SELECT c.id, a.id, 'owner' FROM changed c, account a`;
  if (created !== 1) return { kind: 'email_taken' };
  outbox.committed(verification.sent);
  return { kind: 'signed_up', userId };
}

/** Creates a user that joins the account of the invitation. The link works once. */
export async function signUpByInvitation(
  { database: { side }, outbox }: SignUpContext,
  user: NewUser & { readonly invitation: string },
): Promise<SignUpOutcome> {
  const { name, email } = user;
  const userId = userIdSchema.parse(randomUUID());
  const password = await hashPassword(user.password);
  const audit = auditPart(`user:${userId}`, { action: 'user.sign_up', subjectId: userId, data: { invited: true } });
  const verification = verificationParts(outbox, { id: userId, email });
  // Locked first: when two requests use the link at once, the second sees it used and creates no user.
  const [counted] = await side.$queryRaw<{ readonly invitedEmail: string | null; readonly created: number }[]>`
    WITH invitation AS (
      SELECT id, account_id, role, email FROM invitations i
      WHERE token_digest = ${tokenDigest(user.invitation)} AND ${IS_VALID} FOR UPDATE
    ), changed AS (
      INSERT INTO users (id, name, email) SELECT ${userId}::uuid, ${name}, ${email} FROM invitation
      WHERE email = ${email}
      ON CONFLICT (email) DO NOTHING RETURNING id
    ), credential AS (
      INSERT INTO user_credentials (id, user_id, provider, subject, password)
      SELECT ${randomUUID()}::uuid, c.id, 'credential', c.id::text, ${password} FROM changed c
    ), accepted AS (
      UPDATE invitations i SET accepted_at = clock_timestamp(), accepted_by = c.id
      FROM invitation o, changed c WHERE i.id = o.id
    ), joined AS (
      INSERT INTO memberships (user_id, account_id, role) SELECT c.id, o.account_id, o.role FROM changed c, invitation o
      RETURNING account_id, role
    ), ${audit}, ${joinAudit(userId)}, ${verification.parts}
    SELECT (SELECT email FROM invitation) AS "invitedEmail", (SELECT count(*)::int FROM changed) AS created`;
  const invitedEmail = counted?.invitedEmail ?? null;
  if (counted === undefined || invitedEmail === null) return { kind: 'link_not_valid' };
  if (invitedEmail !== email) return { kind: 'other_address', invitedEmail };
  if (counted.created !== 1) return { kind: 'email_taken' };
  outbox.committed(verification.sent);
  return { kind: 'signed_up', userId };
}
