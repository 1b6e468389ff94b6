import { createIdentity } from '@outdial/identity';
import { createLogger } from '@outdial/kernel';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openAdminDriver, UNKNOWN_ID, withId, type AdminDriver } from '../testing/admin-driver.ts';

let driver: AdminDriver;
beforeAll(async () => {
  driver = await openAdminDriver();
});
afterAll(() => driver.close());

const created = z.object({ password: z.string().min(20), user: withId });
const create = (email: string) =>
  driver.json(['users', 'create', '--email', email, '--name', 'Kim', '--actor', 'root']);

function canSignIn(email: string, password: string): Promise<string | null> {
  const logger = createLogger({ name: 'test', level: 'fatal' });
  const mailer = { send: async () => undefined, close: () => undefined };
  const { database } = driver;
  const secret = '5e'.repeat(32);
  const identity = createIdentity({ database, secret, logger, mailer, emailSeal: null, publicUrl: () => 'http://x' });
  return identity.signIn({ email, password });
}

describe('users', () => {
  test('are created with a password that is shown once, and sign in with it', async () => {
    const { password, user } = created.parse(await create('Kim@Example.com'));
    expect(await driver.actorOf(user.id)).toBe('root');
    const shown = { user: { id: user.id, email: 'kim@example.com', name: 'Kim', is_operator: false, memberships: [] } };
    expect(await driver.json(['users', 'show', 'kim@example.com'])).toMatchObject(shown);
    const list = await driver.run(['users', 'list']);
    expect(list.stdout).toMatch(/kim@example\.com +Kim +yes +no/);
    expect(list.stdout).not.toContain(password);
    expect(await canSignIn('kim@example.com', password)).not.toBeNull();
  });

  test('have unique addresses', async () => {
    await create('one@example.com');
    expect(await driver.run(['users', 'create', '--email', 'ONE@example.com', '--name', 'Kim'])).toMatchObject({
      exitCode: 1,
      stderr: 'A user with the address one@example.com already exists.\n',
    });
  });

  test('become operators and stop being operators', async () => {
    await create('operator@example.com');
    for (const [verb, isOperator] of [
      ['set-operator', true],
      ['unset-operator', false],
    ] as const)
      expect(await driver.json(['users', verb, 'operator@example.com'])).toMatchObject({
        user: { is_operator: isOperator },
      });
  });

  test('get a new password, generated or given, that replaces the old one', async () => {
    const first = created.parse(await create('forgetful@example.com'));
    const second = created.parse(await driver.json(['users', 'reset-password', 'forgetful@example.com']));
    const given = ['users', 'reset-password', 'forgetful@example.com', '--password-file', '-'];
    expect(await canSignIn('forgetful@example.com', first.password)).toBeNull();
    expect(await canSignIn('forgetful@example.com', second.password)).not.toBeNull();
    expect(await driver.json(given, 'correct horse battery\n')).not.toHaveProperty('password');
    expect(await canSignIn('forgetful@example.com', 'correct horse battery')).not.toBeNull();
    expect(await driver.run(given, { stdin: 'short' })).toMatchObject({
      exitCode: 2,
      stderr: '--password-file: the password must have 10 to 128 characters\n',
    });
  });

  test('get the password exactly as the file has it, leading and trailing spaces included', async () => {
    await create('careful@example.com');
    const reset = ['users', 'reset-password', 'careful@example.com', '--password-file', '-'];
    await driver.json(reset, ' correct horse \r\n');
    expect(await canSignIn('careful@example.com', ' correct horse ')).not.toBeNull();
    expect(await canSignIn('careful@example.com', 'correct horse')).toBeNull();
    expect(await driver.run(reset, { stdin: 'correct horse\nbattery staple\n' })).toMatchObject({
      exitCode: 2,
      stderr: '--password-file: must contain exactly one line, the password\n',
    });
  });

  test('are added to accounts, as members by default', async () => {
    await create('member@example.com');
    const account = await driver.createAccount();
    const add = ['users', 'add-to-account', 'member@example.com', '--account'];
    expect(await driver.json([...add, account])).toMatchObject({
      user: { memberships: [{ account_id: account, account_name: 'Acme', role: 'member' }] },
    });
    expect(await driver.json([...add, account, '--role', 'owner'])).toMatchObject({
      user: { memberships: [{ role: 'owner' }] },
    });
    expect(await driver.run([...add, account, '--role', 'operator'])).toMatchObject({ exitCode: 2 });
    expect(await driver.run([...add, UNKNOWN_ID])).toMatchObject({ exitCode: 1 });
  });

  test('cannot leave an account without an owner', async () => {
    await create('owner@example.com');
    const account = await driver.createAccount();
    const as = (role: string) => ['users', 'add-to-account', 'owner@example.com', '--account', account, '--role', role];
    await driver.json(as('owner'));
    expect(await driver.run(as('member'))).toMatchObject({
      exitCode: 1,
      stderr: 'The account has no other owner. Make another user an owner first.\n',
    });
    expect(await driver.json(['users', 'show', 'owner@example.com'])).toMatchObject({
      user: { memberships: [{ role: 'owner' }] },
    });
    await create('heir@example.com');
    await driver.json(as('owner').map((argument) => argument.replace('owner@', 'heir@')));
    expect(await driver.json(as('member'))).toMatchObject({ user: { memberships: [{ role: 'member' }] } });
  });

  test('get rights by a verified address or by their id', async () => {
    const { user } = created.parse(await create('kim@stranger.example'));
    // As if a person signed up with this address and did not verify it.
    await driver.database.side.$executeRaw`UPDATE users SET email_verified_at = NULL WHERE id = ${user.id}::uuid`;
    const account = await driver.createAccount();
    const naming = [
      ['users', 'set-operator', 'kim@stranger.example'],
      ['users', 'add-to-account', 'kim@stranger.example', '--account', account],
    ];
    for (const command of naming) {
      const refused = await driver.run(command);
      expect(refused.exitCode).toBe(1);
      expect(refused.stderr).toContain('has not verified the address');
      expect(refused.stderr).toContain('users verify-email kim@stranger.example');
      expect(refused.stderr).toContain(`--user-id ${user.id}`);
    }
    const shown = { is_operator: false, email_verified_at: null, memberships: [] };
    expect(await driver.json(['users', 'show', 'kim@stranger.example'])).toMatchObject({ user: shown });

    expect(await driver.json(['users', 'set-operator', '--user-id', user.id])).toMatchObject({
      user: { is_operator: true, email_verified_at: null },
    });
    await driver.json(['users', 'verify-email', 'kim@stranger.example', '--actor', 'root']);
    for (const command of naming) expect((await driver.run(command)).exitCode).toBe(0);
    for (const command of [
      ['users', 'set-operator'],
      [...(naming[0] ?? []), '--user-id', user.id],
    ])
      expect(await driver.run(command)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--user-id') });
  });

  test('that do not exist are named in the error', async () => {
    expect(await driver.run(['users', 'set-operator', 'nobody@example.com'])).toMatchObject({
      exitCode: 1,
      stderr: 'There is no user nobody@example.com. List the users to find the address.\n',
    });
  });
});
