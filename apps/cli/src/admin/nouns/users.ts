import { accountIdSchema, nameText, PASSWORD_LENGTH, ROLES } from '@outdial/contracts';
import { newPassword, userIdSchema, type UserRecord, type UserRef } from '@outdial/identity/users';
import type { Command } from 'commander';
import { z } from 'zod';
import { usageError } from '../../cli-error.ts';
import { formatFacts, formatTable } from '../../terminal/table.ts';
import { isoTime, shownTime, yesOrNo } from '../columns.ts';
import { readPassword } from '../read-input.ts';
import type { Json, Report } from '../report.ts';
import type { AdminSession } from '../session.ts';
import { addVerb, createNoun, type RunVerb, type Verb } from '../verb.ts';

const emailText = z.email('must be an e-mail address').max(254).toLowerCase();
const EMAIL = [['<email>', 'the user’s e-mail address']] as const;
const PASSWORD_FLAG = [
  '--password-file <path>',
  'a file with the password, or `-` for standard input (default: a generated password)',
] as const;
const emailOnly = z.strictObject({ email: emailText });
const OPTIONAL_EMAIL = [['[email]', 'the user’s e-mail address; it must be verified']] as const;
const USER_ID_FLAG = ['--user-id <id>', 'the user’s id instead, from `users list --json`'] as const;
const emailOrId = z.strictObject({ email: emailText.optional(), userId: userIdSchema.optional() });

export function addUserVerbs(program: Command, runVerb: RunVerb): void {
  const users = createNoun(program, 'users', 'People who sign in to the dashboard.');
  addVerb(users, runVerb, {
    name: 'create',
    summary: 'Create a user without an account.',
    flags: [
      ['--email <email>', 'the user’s e-mail address'],
      ['--name <text>', 'the name that other users see'],
      PASSWORD_FLAG,
    ],
    examples: ["users create --email kim@example.com --name 'Kim'"],
    changes: true,
    input: z.strictObject({ email: emailText, name: nameText(100), passwordFile: z.string().optional() }),
    async run(session, { email, name, passwordFile }) {
      const password = await choosePassword(session, passwordFile);
      return withPassword(await session.users.create({ email, name, password: password.text }), password);
    },
  });
  addVerb(users, runVerb, {
    name: 'list',
    summary: 'List the users, oldest first.',
    examples: ['users list'],
    changes: false,
    input: z.strictObject({}),
    async run(session) {
      const list = await session.users.list();
      return { json: { users: list.map(userJson) }, text: userTable(list) };
    },
  });
  addVerb(users, runVerb, {
    name: 'reset-password',
    summary: 'Set a new password. This ends all of the user’s sessions.',
    arguments: EMAIL,
    flags: [PASSWORD_FLAG],
    examples: ['users reset-password kim@example.com'],
    changes: true,
    input: emailOnly.extend({ passwordFile: z.string().optional() }),
    async run(session, { email, passwordFile }) {
      const password = await choosePassword(session, passwordFile);
      return withPassword(await session.users.setPassword(email, password.text), password);
    },
  });
  addVerb(users, runVerb, {
    name: 'add-to-account',
    summary: 'Add a user to an account as a member or an owner, or change the role.',
    arguments: OPTIONAL_EMAIL,
    flags: [
      USER_ID_FLAG,
      ['--account <id>', 'which account'],
      ['--role <role>', 'owner, who also manages members, keys and numbers, or member (default)'],
    ],
    examples: ['users add-to-account kim@example.com --account <account-id> --role owner'],
    changes: true,
    input: emailOrId.extend({
      account: accountIdSchema,
      role: z.enum(ROLES, { error: 'must be owner or member' }).default('member'),
    }),
    run: async ({ users: of }, { account, role, ...user }) =>
      userReport(await of.addToAccount(refOf(user), { accountId: account, role })),
  });
  for (const verb of byEmail()) addVerb(users, runVerb, verb);
  for (const verb of operatorVerbs()) addVerb(users, runVerb, verb);
}

/** The verbs that take only an address. */
function byEmail(): readonly Verb<typeof emailOnly>[] {
  const common = { arguments: EMAIL, input: emailOnly, changes: true };
  return [
    {
      ...common,
      name: 'show',
      summary: 'Show a user and the accounts that it belongs to.',
      examples: ['users show kim@example.com'],
      changes: false,
      run: async ({ users }, { email }) => userReport(await users.show(email)),
    },
    {
      ...common,
      name: 'verify-email',
      summary: 'Mark a user’s address as verified, such as where no e-mail is sent.',
      examples: ['users verify-email kim@example.com'],
      run: async ({ users }, { email }) => userReport(await users.verifyEmail(email)),
    },
  ];
}

/** The user is named by a verified address or by the id, since anyone can claim an unverified address. */
function operatorVerbs(): readonly Verb<typeof emailOrId>[] {
  const common = { arguments: OPTIONAL_EMAIL, flags: [USER_ID_FLAG], input: emailOrId, changes: true };
  return [
    {
      ...common,
      name: 'set-operator',
      summary: 'Make a user an operator, who manages the whole platform. The address must be verified.',
      examples: ['users set-operator kim@example.com', 'users set-operator --user-id <user-id>'],
      run: async ({ users }, user) => userReport(await users.setOperator(refOf(user), true)),
    },
    {
      ...common,
      name: 'unset-operator',
      summary: 'Revoke a user’s operator rights, within a second on every process.',
      examples: ['users unset-operator kim@example.com'],
      run: async ({ users }, user) => userReport(await users.setOperator(refOf(user), false)),
    },
  ];
}

/** @throws a usage error unless exactly one of the two is given. */
function refOf({ email, userId }: z.output<typeof emailOrId>): UserRef {
  if (email !== undefined && userId === undefined) return { email };
  if (userId !== undefined && email === undefined) return { userId };
  throw usageError('Name the user either by <email> or by --user-id.');
}

interface ChosenPassword {
  readonly text: string;
  /** True for a generated password, which the operator has not seen yet. */
  readonly isNew: boolean;
}

async function choosePassword({ stdin }: AdminSession, file: string | undefined): Promise<ChosenPassword> {
  if (file === undefined) return { text: newPassword(), isNew: true };
  const text = await readPassword(file, stdin);
  const { min, max } = PASSWORD_LENGTH;
  if (text.length >= min && text.length <= max) return { text, isNew: false };
  throw usageError(`--password-file: the password must have ${min} to ${max} characters`);
}

function withPassword(user: UserRecord, { text, isNew }: ChosenPassword): Report {
  const report = userReport(user);
  if (!isNew) return report;
  return {
    json: { password: text, user: userJson(user) },
    text: ['The password, shown this once:', '', `  ${text}`, '', ...report.text],
  };
}

function userReport(user: UserRecord): Report {
  return { json: { user: userJson(user) }, text: userText(user) };
}

function userJson(user: UserRecord): Json {
  return {
    id: user.id,
    email: user.email,
    email_verified_at: user.emailVerifiedAtMs === null ? null : isoTime(user.emailVerifiedAtMs),
    name: user.name,
    is_operator: user.isOperator,
    created_at: isoTime(user.createdAtMs),
    memberships: user.memberships.map(({ accountId, accountName, role }) => ({
      account_id: accountId,
      account_name: accountName,
      role,
    })),
  };
}

function userText(user: UserRecord): readonly string[] {
  const [first, ...others] = user.memberships.map(
    ({ accountId, accountName, role }) => `${accountName} (${accountId}), ${role}`,
  );
  return formatFacts([
    ['User', user.id],
    ['E-mail', user.email],
    [
      'Verified',
      user.emailVerifiedAtMs === null
        ? 'no: the address may belong to another person'
        : shownTime(user.emailVerifiedAtMs),
    ],
    ['Name', user.name],
    ['Operator', yesOrNo(user.isOperator)],
    ['Created', shownTime(user.createdAtMs)],
    ['Accounts', first ?? 'none: add it to one with `users add-to-account`'],
    ...others.map((membership) => ['', membership] as const),
  ]);
}

function userTable(users: readonly UserRecord[]): readonly string[] {
  return formatTable<UserRecord>(
    [
      { title: 'E-MAIL', value: (user) => user.email },
      { title: 'NAME', value: (user) => user.name },
      { title: 'VERIFIED', value: (user) => yesOrNo(user.emailVerifiedAtMs !== null) },
      { title: 'OPERATOR', value: (user) => yesOrNo(user.isOperator) },
      { title: 'ACCOUNTS', value: (user) => String(user.memberships.length), align: 'right' },
      { title: 'CREATED', value: (user) => shownTime(user.createdAtMs) },
    ],
    users,
    'There are no users yet: create one with `users create`, or let people sign up.',
  );
}
