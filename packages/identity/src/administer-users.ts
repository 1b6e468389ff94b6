import { randomBytes, randomUUID } from 'node:crypto';
import type { AccountId, Role } from '@outdial/contracts';
import { CodedError, unreachable } from '@outdial/kernel';
import { auditPart, containing, Prisma, type Database } from '@outdial/persistence';
import { createMembers, type MemberOutcome } from './members.ts';
import { hashPassword, verifyPassword } from './passwords.ts';
import { userIdSchema, type UserId } from './session.ts';

export interface UserRecord {
  readonly id: UserId;
  readonly name: string;
  readonly email: string;
  readonly isOperator: boolean;
  /** Null if the user may sign in. */
  readonly disabledAtMs: number | null;
  /** Null if the address is unverified: the user may not own it. */
  readonly emailVerifiedAtMs: number | null;
  readonly createdAtMs: number;
  readonly memberships: readonly {
    readonly accountId: AccountId;
    readonly accountName: string;
    readonly role: Role;
  }[];
}

export interface UserSearch {
  /** Part of the name or of the e-mail address. An empty text matches every user. */
  readonly text: string;
  /** The last user of the previous page. */
  readonly after?: UserId | undefined;
  readonly limit: number;
}

/** A user by verified address, or by id, which is unambiguous with any address. */
export type UserRef = { readonly email: string } | { readonly userId: UserId };

export type UserRefusalCode =
  | 'email_not_verified'
  | 'user_not_found'
  | 'email_taken'
  | 'account_not_found'
  | 'last_owner';

/** User administration for the command line. Each change is audited. */
export interface UserAdministration {
  /** Oldest first. */
  list(): Promise<readonly UserRecord[]>;
  /** @throws CodedError `user_not_found` */
  show(email: string): Promise<UserRecord>;
  /** Newest first. */
  find(search: UserSearch): Promise<{ readonly users: readonly UserRecord[]; readonly hasMore: boolean }>;
  /** @throws CodedError `user_not_found` */
  showById(userId: UserId): Promise<UserRecord>;
  /** A disabled user cannot sign in, and all of the user's sessions end. @throws CodedError `user_not_found` */
  setEnabled(userId: UserId, enabled: boolean): Promise<UserRecord>;
  /** Signs the user out everywhere. @throws CodedError `user_not_found` */
  endSessions(userId: UserId): Promise<UserRecord>;
  /** The address counts as verified, because the operator vouches for it. @throws CodedError `email_taken` */
  create(input: { readonly name: string; readonly email: string; readonly password: string }): Promise<UserRecord>;
  /** Whether this is the user's password. */
  hasPassword(email: string, password: string): Promise<boolean>;
  /** @throws CodedError `email_not_verified` for an address that the user has not confirmed */
  setOperator(of: UserRef, isOperator: boolean): Promise<UserRecord>;
  /** Marks the address as verified on the operator's word, for installations without a mail server. */
  verifyEmail(email: string): Promise<UserRecord>;
  /** Ends all of the user's sessions. */
  setPassword(email: string, password: string): Promise<UserRecord>;
  /** Sets the role of an existing member. @throws CodedError `email_not_verified`, `account_not_found`, `last_owner` */
  addToAccount(user: UserRef, of: { readonly accountId: AccountId; readonly role: Role }): Promise<UserRecord>;
}

const USERS = Prisma.sql`
  SELECT u.id, u.name, u.email, u.is_operator AS "isOperator", epoch_ms(u.disabled_at) AS "disabledAtMs",
    epoch_ms(u.email_verified_at) AS "emailVerifiedAtMs",
    epoch_ms(u.created_at AT TIME ZONE 'UTC') AS "createdAtMs",
    (SELECT COALESCE(json_agg(json_build_object('accountId', a.id, 'accountName', a.name, 'role', m.role)
                              ORDER BY m.created_at, a.id), '[]')
     FROM memberships m JOIN accounts a ON a.id = m.account_id WHERE m.user_id = u.id) AS memberships
  FROM users u`;

/** An initial password that an operator hands to the user, who should change it. */
export function newPassword(): string {
  return randomBytes(15).toString('base64url');
}

export interface UserAdministrationOptions {
  /** Named in the audit. */
  readonly actor: string;
  /** How passwords are hashed; scrypt if not given. */
  readonly hash?: (password: string) => Promise<string>;
}

export function createUserAdministration(
  database: Database,
  { actor, hash: hashOf = hashPassword }: UserAdministrationOptions,
): UserAdministration {
  const { side } = database;
  const members = createMembers(database);

  async function find(email: string | null, userId: UserId | null = null): Promise<readonly UserRecord[]> {
    return side.$queryRaw<UserRecord[]>`
      ${USERS}
      WHERE (${email}::text IS NULL OR u.email = ${email}) AND (${userId}::uuid IS NULL OR u.id = ${userId}::uuid)
      ORDER BY u.created_at, u.id`;
  }

  async function showById(userId: UserId): Promise<UserRecord> {
    const [user] = await find(null, userId);
    if (user) return user;
    throw refusal('user_not_found', 'user_id', `There is no user ${userId}. List the users to find the id.`);
  }

  async function show(email: string): Promise<UserRecord> {
    const [user] = await find(email.toLowerCase());
    if (user) return user;
    throw refusal('user_not_found', 'email', `There is no user ${email}. List the users to find the address.`);
  }

  /** The user who gets a right. An address identifies its user only once it is verified. */
  async function named(of: UserRef): Promise<UserRecord> {
    if ('userId' in of) return showById(of.userId);
    const user = await show(of.email);
    if (user.emailVerifiedAtMs !== null) return user;
    throw refusal(
      'email_not_verified',
      'email',
      `The user who signed up as ${user.email} has not verified the address. Ask the user to confirm it, vouch for it with \`users verify-email ${user.email}\`, or select the user with --user-id ${user.id}.`,
    );
  }

  return {
    list: () => find(null),
    show,
    showById,
    async find({ text, after, limit }) {
      const pattern = containing(text);
      const rows = await side.$queryRaw<UserRecord[]>`
        ${USERS}
        WHERE (${text === ''} OR u.email ILIKE ${pattern} OR u.name ILIKE ${pattern})
          AND (${after ?? null}::uuid IS NULL
            OR (u.created_at, u.id) < (SELECT l.created_at, l.id FROM users l WHERE l.id = ${after ?? null}::uuid))
        ORDER BY u.created_at DESC, u.id DESC LIMIT ${limit + 1}::int`;
      return { users: rows.slice(0, limit), hasMore: rows.length > limit };
    },
    async setEnabled(userId, enabled) {
      const action = enabled ? 'user.enable' : 'user.disable';
      await side.$executeRaw`
        WITH changed AS (
          UPDATE users SET disabled_at = ${enabled ? Prisma.sql`NULL` : Prisma.sql`clock_timestamp()`},
            updated_at = timezone('utc', now())
          WHERE id = ${userId}::uuid AND (disabled_at IS NULL) <> ${enabled} RETURNING id
        ), session AS (DELETE FROM sessions WHERE user_id = ${userId}::uuid AND NOT ${enabled}
        ), link AS (DELETE FROM verifications WHERE value = ${userId} AND NOT ${enabled}
        ), ${auditPart(actor, { action, subjectId: userId, data: {} })}
        SELECT count(*) FROM changed`;
      return showById(userId);
    },
    async endSessions(userId) {
      await side.$executeRaw`
        WITH changed AS (SELECT id FROM users WHERE id = ${userId}::uuid
        ), session AS (DELETE FROM sessions WHERE user_id = ${userId}::uuid
        ), ${auditPart(actor, { action: 'user.end_sessions', subjectId: userId, data: {} })}
        SELECT count(*) FROM changed`;
      return showById(userId);
    },
    async create({ name, email, password }) {
      const id = userIdSchema.parse(randomUUID());
      const address = email.toLowerCase();
      const hash = await hashOf(password);
      const created = await side.$executeRaw`
        WITH changed AS (
          INSERT INTO users (id, name, email, email_verified_at)
          VALUES (${id}::uuid, ${name}, ${address}, clock_timestamp())
          ON CONFLICT (email) DO NOTHING RETURNING id
        ), ${auditPart(actor, { action: 'user.create', subjectId: id, data: { email: address } })}
        INSERT INTO user_credentials (id, user_id, provider, subject, password)
        SELECT ${randomUUID()}::uuid, c.id, 'credential', c.id::text, ${hash} FROM changed c`;
      if (created === 0) throw refusal('email_taken', 'email', `A user with the address ${address} already exists.`);
      return show(address);
    },
    async hasPassword(email, password) {
      const { id } = await show(email);
      const [row] = await side.$queryRaw<{ readonly hash: string }[]>`
        SELECT password AS hash FROM user_credentials WHERE user_id = ${id}::uuid AND password IS NOT NULL`;
      return row !== undefined && verifyPassword({ hash: row.hash, password });
    },
    async setOperator(of, isOperator) {
      // Revoking a right needs no proof of the address.
      const { id } = isOperator || 'userId' in of ? await named(of) : await show(of.email);
      const action = isOperator ? 'user.set_operator' : 'user.unset_operator';
      await side.$executeRaw`
        WITH changed AS (
          UPDATE users SET is_operator = ${isOperator}, updated_at = timezone('utc', now())
          WHERE id = ${id}::uuid AND is_operator <> ${isOperator} RETURNING id
        ), ${auditPart(actor, { action, subjectId: id, data: {} })}
        SELECT count(*) FROM changed`;
      return showById(id);
    },
    async verifyEmail(email) {
      const { id } = await show(email);
      await side.$executeRaw`
        WITH changed AS (
          UPDATE users SET email_verified_at = clock_timestamp()
          WHERE id = ${id}::uuid AND email_verified_at IS NULL RETURNING id
        ), ${auditPart(actor, { action: 'user.verify_email', subjectId: id, data: { by: 'operator' } })}
        SELECT count(*) FROM changed`;
      return showById(id);
    },
    async setPassword(email, password) {
      const { id } = await show(email);
      const hash = await hashOf(password);
      await side.$executeRaw`
        WITH changed AS (
          INSERT INTO user_credentials AS c (id, user_id, provider, subject, password)
          VALUES (${randomUUID()}::uuid, ${id}::uuid, 'credential', ${id}, ${hash})
          ON CONFLICT (provider, subject) DO UPDATE SET password = excluded.password,
            updated_at = timezone('utc', now())
          RETURNING c.user_id
        ), session AS (DELETE FROM sessions WHERE user_id = ${id}::uuid
        ), link AS (DELETE FROM verifications WHERE value = ${id}
        ), ${auditPart(actor, { action: 'user.set_password', subjectId: id, data: {} })}
        SELECT count(*) FROM changed`;
      return show(email);
    },
    async addToAccount(user, { accountId, role }) {
      const { id: userId } = await named(user);
      const audit = {
        action: 'user.add_to_account',
        subjectId: userId,
        data: { account_id: accountId, role },
      } as const;
      const [counted] = await side.$queryRaw<{ readonly changed: number }[]>`
        WITH changed AS (
          INSERT INTO memberships (user_id, account_id, role)
          SELECT ${userId}::uuid, a.id, ${role}::member_role FROM accounts a WHERE a.id = ${accountId}::uuid
          ON CONFLICT (user_id, account_id) DO NOTHING RETURNING user_id
        ), ${auditPart(actor, audit)}
        SELECT count(*)::int AS changed FROM changed`;
      if (!counted?.changed) requireChanged(await members.setRole({ accountId, userId, role, actor }), accountId);
      return showById(userId);
    },
  };
}

/** @throws CodedError */
function requireChanged({ kind }: MemberOutcome, accountId: AccountId): void {
  switch (kind) {
    case 'changed':
      return;
    case 'member_not_found':
      throw refusal(
        'account_not_found',
        'account_id',
        `There is no account ${accountId}. List the accounts to find its id.`,
      );
    case 'last_owner':
      throw refusal('last_owner', 'role', 'The account has no other owner. Make another user an owner first.');
    default:
      unreachable(kind);
  }
}

function refusal(code: UserRefusalCode, param: string, publicMessage: string): CodedError<UserRefusalCode> {
  return new CodedError({ code, param, publicMessage });
}
