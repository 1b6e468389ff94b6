import { randomBytes } from 'node:crypto';
import { digestApiKey } from '@outdial/secrets';
import { agentSettingsSchema, e164Schema, micros, type E164 } from '@outdial/contracts';
import { fakeClock } from '@outdial/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, type World } from '../../test/world.ts';
import { createAdministration, type Administration } from '../administration/administration.ts';
import { cachedDirectory } from './cached-directory.ts';
import { createDirectory, type DirectorySource } from './directory.ts';

const PEPPER = randomBytes(32);
let world: World;
let source: DirectorySource;
let admin: Administration;
beforeAll(async () => {
  world = await createWorld();
  source = createDirectory(world.database);
  admin = createAdministration(world.database, { actor: 'test' });
});
afterAll(() => world.close());

const phone = (text: string): E164 => e164Schema.parse(text);
const RATE = {
  prefix: '1',
  description: 'North America',
  connectionFeeMicros: micros(0),
  pricePerMinuteMicros: micros(12_000),
  initialIncrementSeconds: 60,
  incrementSeconds: 60,
};

test('a key is found by its digest, with its limits', async () => {
  const { accountId } = await world.party();
  const expiresAtMs = Date.UTC(2030, 5, 1, 12);
  const { key, record } = await admin.keys.create({
    accountId,
    name: 'crm',
    pepper: PEPPER,
    expiresAtMs,
    requestsPerSecond: 7,
  });
  const digest = digestApiKey(key, PEPPER);
  const found = await source.findKey(digest);
  expect(found).toMatchObject({ id: record.id, accountId, expiresAtMs, revokedAtMs: null, requestsPerSecond: 7 });
  expect(found && digest.equals(found.digest)).toBe(true);
  expect(await source.findKey(digestApiKey(key, randomBytes(32)))).toBeNull();
});

test('a revoked key stops working within a second in every process', async () => {
  const { accountId } = await world.party();
  const { key, record } = await admin.keys.create({ accountId, name: 'crm', pepper: PEPPER });
  const digest = digestApiKey(key, PEPPER);
  const processes = [0, 1].map(() => {
    const clock = fakeClock();
    return { clock, directory: cachedDirectory(source, clock) };
  });
  // Each process has just read the key: the worst moment for its revocation.
  for (const { directory } of processes) expect(await directory.findKey(digest)).toHaveProperty('revokedAtMs', null);
  await admin.keys.revoke(record.id);
  for (const { clock, directory } of processes) {
    await clock.advance(1_000);
    expect((await directory.findKey(digest))?.revokedAtMs).toBeTypeOf('number');
  }
});

test('an account is read with its numbers, default first, then oldest first, and its blocked prefixes', async () => {
  const { accountId } = await world.party();
  for (const e164 of ['+12025550101', '+12025550102', '+12025550103', '+12025550104'].map(phone)) {
    await admin.numbers.add({ accountId, e164 });
  }
  await admin.numbers.setDefault({ accountId, e164: phone('+12025550103') });
  await world.database.side.$executeRaw`
    UPDATE phone_numbers SET active = false WHERE account_id = ${accountId}::uuid AND e164 = '+12025550102'`;
  await admin.blockedDestinations.add({ accountId, prefix: '1900' });
  expect(await source.findAccount(accountId)).toEqual({
    id: accountId,
    name: 'Acme',
    currency: 'USD',
    enabled: true,
    mayUseSystemNumber: false,
    maxDurationSeconds: 7_200,
    ringTimeoutSeconds: 120,
    outboundNumbers: ['+12025550103', '+12025550101', '+12025550104'],
    blockedPrefixes: ['1900'],
    policies: { policy: null, floor: null },
  });
  const { accountId: bare } = await world.party();
  expect(await source.findAccount(bare)).toMatchObject({ outboundNumbers: [], blockedPrefixes: [] });
});

test('an agent is usable by its owner and grantees, and unknown to other accounts', async () => {
  const owner = await world.party();
  const { accountId: guest } = await world.party();
  const usable = { id: owner.agentId, version: 1, requiredVariables: ['name'], conducted: null };
  expect(await source.findAgent(owner.accountId, owner.agentId)).toEqual(usable);
  expect(await source.findAgent(guest, owner.agentId)).toBeNull();
  await admin.agents.grant({ agentId: owner.agentId, accountId: guest });
  expect(await source.findAgent(guest, owner.agentId)).toEqual(usable);
  await admin.agents.revoke({ agentId: owner.agentId, accountId: guest });
  expect(await source.findAgent(guest, owner.agentId)).toBeNull();
});

test('a new version of an agent is used from then on', async () => {
  const { accountId, agentId } = await world.party();
  const settings = agentSettingsSchema.parse({ name: 'Anna', first_message: 'Hi {{first}} {{last}}' });
  await admin.agents.update({ agentId, settings });
  const agent = await source.findAgent(accountId, agentId);
  expect(agent).toEqual({ id: agentId, version: 2, requiredVariables: ['first', 'last'], conducted: null });
});

test('an agent that models conduct comes with its driver and the models that it needs', async () => {
  const { accountId, agentId } = await world.party();
  const model = { provider: 'openai', model: 'gpt-realtime-2.1' };
  const texts = { name: 'Anna', instructions: 'Be kind.' };
  const settings = agentSettingsSchema.parse({ driver: 'realtime', ...texts, max_duration_seconds: 240, model });
  await admin.agents.update({ agentId, settings });
  expect(await source.findAgent(accountId, agentId)).toEqual({
    id: agentId,
    version: 2,
    requiredVariables: [],
    conducted: {
      driver: 'realtime',
      needs: [
        { component: 'realtime', ...model, credential: null, isFallback: false, path: 'model' },
        {
          component: 'stt',
          provider: 'openai',
          model: 'gpt-4o-mini-transcribe',
          credential: null,
          isFallback: false,
          path: 'model.transcription',
        },
      ],
      maxDurationSeconds: 240,
    },
  });
});

test('an agent saved by an earlier release is read with current defaults; an unreadable one says so', async () => {
  const { accountId, agentId } = await world.party();
  const save = (settings: unknown) => world.database.side.$executeRaw`
    UPDATE agent_versions SET settings = ${JSON.stringify(settings)}::jsonb WHERE agent_id = ${agentId}::uuid`;
  await save({ name: 'Anna', first_message: 'Hello {{name}}.' });
  expect(await source.findAgent(accountId, agentId)).toHaveProperty('requiredVariables', ['name']);
  await save({ name: 'Anna', lines: 'Hello.' });
  expect(await source.findAgent(accountId, agentId)).toHaveProperty('requiredVariables', null);
  expect(await admin.agents.list(accountId)).toMatchObject([{ settings: { kind: 'unusable' } }]);
});

test('the system number is the default one', async () => {
  expect(await source.systemNumber()).toBeNull();
  await admin.numbers.add({ accountId: null, e164: phone('+12025550190') });
  expect(await source.systemNumber()).toBeNull();
  await admin.numbers.setDefault({ accountId: null, e164: phone('+12025550190') });
  expect(await source.systemNumber()).toBe('+12025550190');
});

test('a deck is read again only when it has changed', async () => {
  const clock = fakeClock();
  const reads: string[] = [];
  const counted: DirectorySource = {
    ...source,
    rateDeck: (currency) => {
      reads.push(currency);
      return source.rateDeck(currency);
    },
  };
  const directory = cachedDirectory(counted, clock);
  await admin.rates.import({ currency: 'EUR', rates: [RATE] });
  const first = await directory.rateDeck('EUR');
  expect(first.find(phone('+12025550143'))).toMatchObject({ pricePerMinuteMicros: 12_000n });
  await clock.advance(1_000);
  expect(await directory.rateDeck('EUR')).toBe(first);
  expect(reads).toEqual(['EUR']);

  await admin.rates.import({ currency: 'EUR', rates: [{ ...RATE, pricePerMinuteMicros: micros(99) }] });
  await clock.advance(1_000);
  const second = await directory.rateDeck('EUR');
  expect(second.find(phone('+12025550143'))).toMatchObject({ pricePerMinuteMicros: 99n });
  expect(second.version).toBe(first.version + 1);
});

test('a currency without rates has an empty deck', async () => {
  const deck = await source.rateDeck('JPY');
  expect([deck.version, deck.find(phone('+12025550143'))]).toEqual([0, null]);
  expect(await source.rateDeckVersion('JPY')).toBe(0);
});
