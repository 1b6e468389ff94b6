import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { subscribe } from 'node:diagnostics_channel';
import { createLogger } from '@outdial/kernel';
import { createDatabase, type Database } from '@outdial/persistence';
import { freePort, testStores, type TestStores } from '@outdial/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createUserAdministration } from './administer-users.ts';
import { createIdentity, type Identity } from './identity.ts';
import type { Email, Mailer } from './mail/mailer.ts';
import { hashPassword, verifyPassword } from './passwords.ts';
import { tokenDigest } from './token.ts';

const PASSWORD = 'correct horse battery';
const logger = createLogger({ name: 'test', level: 'fatal' });

let stores: TestStores;
let database: Database;
beforeEach(async () => {
  stores = await testStores();
  database = open();
});
afterEach(async () => {
  await database.close();
  await stores.close();
});

const open = () =>
  createDatabase({ url: stores.databaseUrl, readPoolSize: 3, queryTimeoutMs: 60_000, connectTimeoutMs: 60_000 });

function identityOn(of: Database, mailer: Mailer = { send: async () => undefined, close: () => undefined }): Identity {
  return createIdentity({
    database: of,
    secret: '5e'.repeat(32),
    logger,
    mailer,
    emailSeal: null,
    publicUrl: () => 'http://localhost',
  });
}

async function newUser(): Promise<string> {
  const email = `${randomUUID()}@example.com`;
  await createUserAdministration(database, { actor: 'test' }).create({ name: 'Sam', email, password: PASSWORD });
  return email;
}

describe('in any database time zone', () => {
  it.each(['Asia/Kolkata', 'America/Los_Angeles'])('sessions and links keep their lifetimes: %s', async (zone) => {
    await database.side.$executeRawUnsafe(
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET timezone TO %L', current_database(), '${zone}'); END $$`,
    );
    const there = open();
    const emails: Email[] = [];
    const identity = identityOn(there, { send: async (email) => void emails.push(email), close: () => undefined });
    const email = await newUser();
    const token = await identity.signIn({ email, password: PASSWORD });
    expect(await identity.findSession(tokenDigest(token ?? ''))).toMatchObject({ user: { email } });
    const [row] = await there.side.$queryRaw<{ zone: string; hours: number }[]>`
      SELECT current_setting('timezone') AS zone,
             round(extract(epoch FROM expires_at AT TIME ZONE 'UTC' - now()) / 3600)::int AS hours FROM sessions`;
    expect(row).toEqual({ zone, hours: 7 * 24 });
    await identity.requestPasswordReset(email);
    await identity.idle();
    const link = /#token=([\w-]+)/.exec(emails[0]?.link ?? '')?.[1] ?? '';
    expect(await identity.resetPassword({ token: link, password: 'quite another password' })).toBe(true);
    await there.close();
  });
});

it('connects to no other host', async () => {
  // Requests that other tests in this process have left behind begin outside of it.
  const scope = new AsyncLocalStorage<string[]>();
  for (const channel of ['undici:request:create', 'http.client.request.start'])
    subscribe(channel, () => void scope.getStore()?.push(channel));
  const connections: string[] = [];
  await scope.run(connections, useIdentity);
  expect(connections).toEqual([]);
  await scope.run(connections, async () => fetch(`http://127.0.0.1:${await freePort()}`).catch(() => undefined));
  expect(connections).toEqual(['undici:request:create']);
});

async function useIdentity(): Promise<void> {
  const identity = identityOn(database);
  const email = await newUser();
  const token = await identity.signIn({ email, password: PASSWORD });
  const session = await identity.findSession(tokenDigest(token ?? ''));
  expect(session).not.toBeNull();
  if (session) await identity.changePassword({ session, currentPassword: PASSWORD, newPassword: `${PASSWORD}!` });
  await identity.requestPasswordReset(email);
  await identity.idle();
}

describe('a password', () => {
  it('is hashed with its own salt and matches only itself', async () => {
    const [one, two] = await Promise.all([hashPassword(PASSWORD), hashPassword(PASSWORD)]);
    expect(one).not.toBe(two);
    expect(await verifyPassword({ hash: one, password: PASSWORD })).toBe(true);
    expect(await verifyPassword({ hash: one, password: `${PASSWORD} ` })).toBe(false);
  });

  it('is hashed without blocking the process', async () => {
    let turns = 0;
    let isDone = false;
    const turn = () => {
      turns += 1;
      if (!isDone) setImmediate(turn);
    };
    setImmediate(turn);
    await Promise.all([hashPassword(PASSWORD), hashPassword(PASSWORD), hashPassword(PASSWORD)]);
    isDone = true;
    expect(turns).toBeGreaterThan(10);
  });
});

it('a sign-in with the old password that runs during a password change does not outlive the change', async () => {
  const emails: Email[] = [];
  const identity = identityOn(database, { send: async (email) => void emails.push(email), close: () => undefined });
  const email = await newUser();
  await identity.requestPasswordReset(email);
  await identity.idle();
  const token = /#token=([\w-]+)/.exec(emails[0]?.link ?? '')?.[1] ?? '';
  // The sign-ins queue for hashing: some read the old password before the new one is stored, and finish after it.
  const [isSet, ...tokens] = await Promise.all([
    identity.resetPassword({ token, password: 'quite another password' }),
    ...Array.from({ length: 6 }, () => identity.signIn({ email, password: PASSWORD })),
  ]);
  expect(isSet).toBe(true);
  for (const each of tokens) expect(await identity.findSession(tokenDigest(each ?? ''))).toBeNull();
  expect(await identity.signIn({ email, password: 'quite another password' })).not.toBeNull();
});
