import { randomBytes } from 'node:crypto';
import { trunkNameSchema } from '@outdial/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newTrunkName, trunkSettings } from '../../test/trunks.ts';
import { createWorld, type World } from '../../test/world.ts';
import { createAdministration, type Administration } from './administration.ts';

let world: World;
let admin: Administration;
beforeAll(async () => {
  world = await createWorld();
  admin = createAdministration(world.database, { actor: 'ops' });
});
afterAll(() => world.close());

const secretKey = randomBytes(32);
const credentials = { username: 'alice', password: 'open sesame', secretKey };
const auditOf = (name: string) => world.database.side.$queryRaw<{ action: string; data: unknown }[]>`
  SELECT action, data FROM audit_entries WHERE subject_type = 'trunk' AND subject_id = ${name} ORDER BY id`;

test('a trunk is shown as it was added, without its password', async () => {
  const name = newTrunkName();
  const settings = trunkSettings({
    outboundProxy: 'sip:proxy.example;lr',
    callerId: { prefixes: ['1202', '44'], asserted: true },
    codecs: ['PCMA'],
  });
  const added = await admin.trunks.add({ name, ...settings, credentials });
  expect(added).toEqual({
    name,
    ...settings,
    username: 'alice',
    enabled: true,
    health: [],
    createdAtMs: expect.toSatisfy((ms: number) => Math.abs(ms - Date.now()) < 10_000),
  });
  expect(await admin.trunks.show(name)).toEqual(added);
  expect(await admin.trunks.list()).toContainEqual(added);
});

test('passwords are never stored or audited in clear text', async () => {
  const name = newTrunkName();
  await admin.trunks.add({ name, ...trunkSettings(), credentials });
  await admin.trunks.update(name, { credentials: { ...credentials, password: 'another one' } });
  const rows = await world.database.side.$queryRaw<{ text: string }[]>`
    SELECT t::text || encode(t.sealed_password, 'escape') AS text FROM trunks t WHERE name = ${name}`;
  const audit = await auditOf(name);
  for (const secret of ['open sesame', 'another one']) expect(JSON.stringify([rows, audit])).not.toContain(secret);
  expect(audit).toEqual([
    { action: 'trunk.add', data: expect.objectContaining({ username: 'alice', uri: 'sip:trunk.example' }) },
    { action: 'trunk.update', data: { username: 'alice' } },
  ]);
});

test('an update changes only the fields it names', async () => {
  const name = newTrunkName();
  const added = await admin.trunks.add({ name, ...trunkSettings({ outboundProxy: 'sip:proxy.example' }), credentials });
  expect(await admin.trunks.update(name, { channels: 7, codecs: ['PCMA'] })).toEqual({
    ...added,
    channels: 7,
    codecs: ['PCMA'],
  });
  const bare = await admin.trunks.update(name, {
    outboundProxy: null,
    credentials: null,
    callerId: { prefixes: [], asserted: false },
    weight: 0,
  });
  expect(bare).toEqual({ ...added, channels: 7, codecs: ['PCMA'], outboundProxy: null, username: null, weight: 0 });
  expect((await auditOf(name)).at(-1)).toEqual({
    action: 'trunk.update',
    data: { outbound_proxy: null, username: null, caller_prefixes: [], asserts_caller: false, weight: 0 },
  });
});

test('trunks are enabled, disabled and removed, and a change without effect is not audited', async () => {
  const name = newTrunkName();
  await admin.trunks.add({ name, ...trunkSettings(), credentials: null });
  expect(await admin.trunks.setEnabled(name, false)).toHaveProperty('enabled', false);
  await admin.trunks.setEnabled(name, false);
  expect(await admin.trunks.setEnabled(name, true)).toHaveProperty('enabled', true);
  await admin.trunks.remove(name);
  expect((await auditOf(name)).map(({ action }) => action)).toEqual([
    'trunk.add',
    'trunk.disable',
    'trunk.enable',
    'trunk.remove',
  ]);
});

test('a change of a missing trunk and a duplicate trunk are rejected', async () => {
  const name = newTrunkName();
  const refused = [
    admin.trunks.show(name),
    admin.trunks.update(name, { channels: 1 }),
    admin.trunks.setEnabled(name, true),
    admin.trunks.remove(name),
  ];
  for (const result of await Promise.allSettled(refused)) {
    expect(result).toMatchObject({ status: 'rejected', reason: { code: 'trunk_not_found', param: 'name' } });
  }
  expect(await auditOf(name)).toEqual([]);
  await admin.trunks.add({ name, ...trunkSettings(), credentials: null });
  await expect(admin.trunks.add({ name, ...trunkSettings(), credentials: null })).rejects.toMatchObject({
    code: 'trunk_exists',
  });
});

describe('an invalid trunk is rejected', () => {
  test.each([
    ['uri', { uri: 'sip:user@trunk.example' }],
    ['uri', { uri: 'sip:trunk.example;transport=tcp' }],
    ['outbound_proxy', { outboundProxy: 'proxy.example' }],
    ['channels', { channels: 0 }],
    ['calls_per_second', { callsPerSecond: 0 }],
    ['caller_prefixes', { callerId: { prefixes: ['+1'], asserted: false } }],
    ['caller_prefixes', { callerId: { prefixes: ['1', ''], asserted: false } }],
    ['codecs', { codecs: [] }],
    ['priority', { priority: -1 }],
    ['weight', { weight: 65_536 }],
  ] as const)('%s: %j', async (rule, changes) => {
    const adding = admin.trunks.add({ name: newTrunkName(), ...trunkSettings(changes), credentials: null });
    await expect(adding).rejects.toThrow(`trunks_${rule}_check`);
  });

  test('a password without a username', async () => {
    const name = newTrunkName();
    await admin.trunks.add({ name, ...trunkSettings(), credentials });
    const halved = world.database.side.$executeRaw`UPDATE trunks SET username = NULL WHERE name = ${name}`;
    await expect(halved).rejects.toThrow('trunks_credentials_check');
  });

  test('nameless', () => {
    for (const name of ['', 'Main', '-a', 'a-', 'a b', 'x'.repeat(41)]) {
      expect(trunkNameSchema.safeParse(name).success).toBe(false);
    }
  });
});
