import { agentIdSchema, e164Schema, type AccountId } from '@outdial/contracts';
import { createUserAdministration, type UserAdministration } from '@outdial/identity/users';
import { createAdministration, createDatabase, type Database } from '@outdial/persistence';
import { testStores, type TestStores } from '@outdial/testkit';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { StoredDemo } from '../instance/demo-file.ts';
import { seedUser, type SeededUser } from './seed-user.ts';

let stores: TestStores;
let database: Database;
let users: UserAdministration;
let accountId: AccountId;
beforeEach(async () => {
  stores = await testStores();
  database = createDatabase({ url: stores.databaseUrl, queryTimeoutMs: 60_000, connectTimeoutMs: 60_000 });
  users = createUserAdministration(database, { actor: 'test' });
  const { accounts } = createAdministration(database, { actor: 'test' });
  accountId = (await accounts.create({ name: 'Demo', currency: 'USD' })).id;
});
afterEach(async () => {
  await database.close();
  await stores.close();
});

/** demo.json after that start. */
const storedAfter = ({ email, password }: SeededUser): StoredDemo => ({
  base_url: 'http://127.0.0.1:3000/api/v1',
  api_key: 'od_live_x',
  account_id: accountId,
  agent_id: agentIdSchema.parse('00000000-0000-4000-8000-000000000002'),
  from_number: e164Schema.parse('+12025550199'),
  email,
  password,
});

test('the demo user owns the demo account, is an operator, and keeps its password from start to start', async () => {
  const first = await seedUser(database, accountId, undefined);
  expect(first).toMatchObject({ isNewPassword: true, password: expect.any(String) });
  expect(await users.show(first.email)).toMatchObject({
    isOperator: true,
    memberships: [{ accountId, accountName: 'Demo', role: 'owner' }],
  });
  const second = await seedUser(database, accountId, storedAfter(first));
  expect(second).toEqual({ ...first, isNewPassword: false });
  expect(await users.hasPassword(first.email, first.password ?? '')).toBe(true);
});

test('a password that was lost with demo.json is replaced', async () => {
  const first = await seedUser(database, accountId, undefined);
  const second = await seedUser(database, accountId, undefined);
  expect(second.isNewPassword).toBe(true);
  expect(await users.hasPassword(first.email, first.password ?? '')).toBe(false);
  expect(await users.hasPassword(first.email, second.password ?? '')).toBe(true);
});

test('a password that the user has set stays from start to start and is in no file', async () => {
  const first = await seedUser(database, accountId, undefined);
  await users.setPassword(first.email, 'one of my own');
  const second = await seedUser(database, accountId, storedAfter(first));
  expect(second).toEqual({ email: first.email, password: null, isNewPassword: false });
  expect(await seedUser(database, accountId, storedAfter(second))).toEqual(second);
  expect(await users.hasPassword(first.email, 'one of my own')).toBe(true);
});

test('rights that were revoked are not granted again by a later start', async () => {
  const first = await seedUser(database, accountId, undefined);
  await users.setOperator(first, false);
  await seedUser(database, accountId, storedAfter(first));
  expect((await users.show(first.email)).isOperator).toBe(false);
});
