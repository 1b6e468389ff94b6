import { randomBytes, randomUUID } from 'node:crypto';
import { digestApiKey, isWellFormedApiKey } from '@outdial/secrets';
import {
  accountIdSchema,
  agentIdSchema,
  agentSettingsSchema,
  apiKeyIdSchema,
  e164Schema,
  micros,
  type AccountId,
} from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditOf as readAudit } from '../../test/audit.ts';
import { beginTogether } from '../../test/begin-together.ts';
import { createWorld, type World } from '../../test/world.ts';
import { Prisma } from '../generated/client.ts';
import { createDirectory } from '../directory/directory.ts';
import { createAdministration, type Administration } from './administration.ts';

let world: World;
let admin: Administration;
beforeAll(async () => {
  world = await createWorld();
  admin = createAdministration(world.database, { actor: 'ops' });
});
afterAll(() => world.close());

const unknownAccount = (): AccountId => accountIdSchema.parse(randomUUID());
const newAccount = () => admin.accounts.create({ name: 'Acme', currency: 'USD' });
const phone = (text: string) => e164Schema.parse(text);
const SETTINGS = agentSettingsSchema.parse({ name: 'Anna', first_message: 'Hello.' });

const auditOf = (subjectId: string) => readAudit(world.database, subjectId);
const actionsOf = async (subjectId: string) => (await auditOf(subjectId)).map(({ action }) => action);

describe('accounts', () => {
  test('a new one has an empty wallet and the requested capacity', async () => {
    const account = await admin.accounts.create({
      name: 'Zoë & Co',
      currency: 'EUR',
      capacity: 3,
      mayUseSystemNumber: true,
    });
    expect(await admin.accounts.show(account.id)).toEqual({
      id: account.id,
      name: 'Zoë & Co',
      currency: 'EUR',
      enabled: true,
      mayUseSystemNumber: true,
      maxDurationSeconds: 7_200,
      ringTimeoutSeconds: 120,
      capacity: 3,
      campaignPercent: 80,
      balanceMicros: 0n,
      createdAtMs: expect.toSatisfy((ms: number) => Math.abs(ms - Date.now()) < 10_000),
    });
    expect((await admin.accounts.list()).map(({ id }) => id)).toContain(account.id);
    const data = { name: 'Zoë & Co', currency: 'EUR', capacity: 3, may_use_system_number: true };
    expect(await auditOf(account.id)).toEqual([{ actor: 'ops', action: 'account.create', data }]);
  });

  test('are disabled and enabled, and a change without effect is not audited', async () => {
    const { id } = await newAccount();
    expect(await admin.accounts.setEnabled(id, false)).toHaveProperty('enabled', false);
    await admin.accounts.setEnabled(id, false);
    expect(await admin.accounts.setEnabled(id, true)).toHaveProperty('enabled', true);
    expect(await actionsOf(id)).toEqual(['account.create', 'account.disable', 'account.enable']);
  });

  test('that do not exist are rejected by every noun', async () => {
    const accountId = unknownAccount();
    const { agentId } = await world.party();
    const refused = [
      admin.accounts.show(accountId),
      admin.accounts.setEnabled(accountId, false),
      admin.keys.create({ accountId, name: 'crm', pepper: randomBytes(32) }),
      admin.agents.create({ accountId, settings: SETTINGS }),
      admin.agents.grant({ agentId, accountId }),
      admin.numbers.add({ accountId, e164: phone('+12025550100') }),
      admin.blockedDestinations.add({ accountId, prefix: '1900' }),
      admin.wallets.topUp({ accountId, amountMicros: micros(1), idempotencyKey: 'a' }),
      admin.wallets.show(accountId),
      admin.capacity.setAccount({ accountId, capacity: 1 }),
    ];
    for (const result of await Promise.allSettled(refused)) {
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'account_not_found', param: 'account_id' } });
    }
    expect(await auditOf(accountId)).toEqual([]);
  });
});

describe('keys', () => {
  test('are shown once and stored as a digest', async () => {
    const { id: accountId } = await newAccount();
    const pepper = randomBytes(32);
    const { key, record } = await admin.keys.create({ accountId, name: 'crm', pepper });
    expect(isWellFormedApiKey(key)).toBe(true);
    expect(key.startsWith(record.shownPrefix)).toBe(true);
    expect(await createDirectory(world.database).findKey(digestApiKey(key, pepper))).toHaveProperty('id', record.id);
    expect(await admin.keys.list(accountId)).toEqual([record]);
    const [stored] = await world.database.side.$queryRaw<{ everything: string }[]>`
      SELECT (SELECT string_agg(k::text, '') FROM api_keys k) || (SELECT string_agg(a::text, '') FROM audit_entries a)
        AS everything`;
    expect(stored?.everything).not.toContain(key);
  });

  test('are revoked once', async () => {
    const { id: accountId } = await newAccount();
    const { record } = await admin.keys.create({ accountId, name: 'crm', pepper: randomBytes(32) });
    const revoked = await admin.keys.revoke(record.id);
    expect(revoked.revokedAtMs).toBeTypeOf('number');
    expect(await admin.keys.revoke(record.id)).toEqual(revoked);
    expect(await actionsOf(record.id)).toEqual(['key.create', 'key.revoke']);
    const unknown = apiKeyIdSchema.parse(randomUUID());
    await expect(admin.keys.revoke(unknown)).rejects.toMatchObject({ code: 'key_not_found' });
  });
});

describe('agents', () => {
  test('keep every version', async () => {
    const { id: accountId } = await newAccount();
    const agent = await admin.agents.create({ accountId, settings: SETTINGS });
    const updated = await admin.agents.update({ agentId: agent.id, settings: { ...SETTINGS, name: 'Ben' } });
    expect([agent.version, updated.version]).toEqual([1, 2]);
    expect(await admin.agents.show(agent.id)).toMatchObject({ version: 2, settings: { settings: { name: 'Ben' } } });
    const versions = await world.database.side.$queryRaw<{ name: string }[]>`
      SELECT settings->>'name' AS name FROM agent_versions WHERE agent_id = ${agent.id}::uuid ORDER BY version`;
    expect(versions).toEqual([{ name: 'Anna' }, { name: 'Ben' }]);
    expect(await actionsOf(agent.id)).toEqual(['agent.create', 'agent.update']);
  });

  test('updated concurrently get one version each', async () => {
    const { id: accountId } = await newAccount();
    const { id: agentId } = await admin.agents.create({ accountId, settings: SETTINGS });
    await Promise.all(Array.from({ length: 8 }, () => admin.agents.update({ agentId, settings: SETTINGS })));
    expect(await admin.agents.show(agentId)).toHaveProperty('version', 9);
  });

  test('are listed for their owner and for those they are granted to', async () => {
    const [owner, guest] = [await newAccount(), await newAccount()];
    const agent = await admin.agents.create({ accountId: owner.id, settings: SETTINGS });
    const grant = { agentId: agent.id, accountId: guest.id };
    await admin.agents.grant(grant);
    await admin.agents.grant(grant);
    expect(await admin.agents.list(guest.id)).toEqual([agent]);
    await admin.agents.revoke(grant);
    await admin.agents.revoke(grant);
    expect(await admin.agents.list(guest.id)).toEqual([]);
    expect(await admin.agents.list(owner.id)).toEqual([agent]);
    expect(await actionsOf(agent.id)).toEqual(['agent.create', 'agent.grant', 'agent.revoke']);
  });

  test('that do not exist are rejected', async () => {
    const { id: accountId } = await newAccount();
    const agentId = agentIdSchema.parse(randomUUID());
    const refused = [
      admin.agents.show(agentId),
      admin.agents.update({ agentId, settings: SETTINGS }),
      admin.agents.grant({ agentId, accountId }),
    ];
    for (const result of await Promise.allSettled(refused)) {
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'agent_not_found', param: 'agent_id' } });
    }
  });
});

describe.each([
  ["an account's numbers", async () => (await newAccount()).id],
  ["the system's numbers", async () => null],
])('%s', (_, owner) => {
  test('have at most one default, and a new default replaces it', async () => {
    const accountId = await owner();
    const [first, second] = [phone('+12025550101'), phone('+12025550102')];
    await admin.numbers.add({ accountId, e164: first, isDefault: true });
    await admin.numbers.add({ accountId, e164: second, isDefault: true });
    const defaults = async () => (await admin.numbers.list(accountId)).map(({ e164, isDefault }) => [e164, isDefault]);
    expect(await defaults()).toEqual([
      [second, true],
      [first, false],
    ]);
    expect(await admin.numbers.setDefault({ accountId, e164: first })).toMatchObject({ e164: first, isDefault: true });
    expect(await defaults()).toEqual([
      [first, true],
      [second, false],
    ]);
    const unknown = { accountId, e164: phone('+12025550199') };
    await expect(admin.numbers.setDefault(unknown)).rejects.toMatchObject({ code: 'number_not_found' });
    await expect(admin.numbers.remove(unknown)).rejects.toMatchObject({ code: 'number_not_found', param: 'number' });
    expect(await defaults()).toContainEqual([first, true]);
    await expect(admin.numbers.add({ accountId, e164: first })).rejects.toMatchObject({ code: 'number_exists' });
    await admin.numbers.remove({ accountId, e164: first });
    await admin.numbers.remove({ accountId, e164: second });
    expect(await defaults()).toEqual([]);
  });

  test('concurrent changes of the default leave exactly one', async () => {
    const accountId = await owner();
    const [first, second, third, added] = ['0', '1', '2', '3'].map((digit) => phone(`+1202555013${digit}`));
    invariant(first && second && third && added, 'four numbers');
    await admin.numbers.add({ accountId, e164: first, isDefault: true });
    for (const e164 of [second, third]) await admin.numbers.add({ accountId, e164 });
    const answers = await beginTogether(
      world.database,
      Prisma.sql`SELECT FROM phone_numbers WHERE account_id IS NOT DISTINCT FROM ${accountId}::uuid FOR UPDATE`,
      [
        () => admin.numbers.setDefault({ accountId, e164: second }),
        () => admin.numbers.setDefault({ accountId, e164: third }),
        () => admin.numbers.add({ accountId, e164: added, isDefault: true }),
      ],
    );
    expect(answers.map(({ isDefault }) => isDefault)).toEqual([true, true, true]);
    const numbers = await admin.numbers.list(accountId);
    expect(numbers.map(({ isDefault }) => isDefault)).toEqual([true, false, false, false]);
    for (const { e164 } of numbers) await admin.numbers.remove({ accountId, e164 });
  });
});

test('a number belongs to one account only', async () => {
  const [owner, other] = [await newAccount(), await newAccount()];
  const e164 = phone('+12025550111');
  await admin.numbers.add({ accountId: owner.id, e164 });
  await expect(admin.numbers.remove({ accountId: other.id, e164 })).rejects.toMatchObject({ code: 'number_not_found' });
  expect(await admin.numbers.add({ accountId: other.id, e164 })).toMatchObject({ accountId: other.id });
});

test('destinations are blocked and unblocked by prefix', async () => {
  const { id: accountId } = await newAccount();
  for (const prefix of ['1900', '1900', '44']) await admin.blockedDestinations.add({ accountId, prefix });
  expect(await admin.blockedDestinations.list(accountId)).toEqual(['1900', '44']);
  await admin.blockedDestinations.remove({ accountId, prefix: '1900' });
  expect(await admin.blockedDestinations.list(accountId)).toEqual(['44']);
  expect(await actionsOf(accountId)).toEqual([
    'account.create',
    'destination.block',
    'destination.block',
    'destination.unblock',
  ]);
});
