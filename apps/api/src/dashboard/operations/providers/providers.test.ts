import { randomBytes, randomUUID } from 'node:crypto';
import { breakersOf, lineNameOf, type OpenBreaker } from '@outdial/calls';
import {
  agentIdSchema,
  callIdSchema,
  credentialIdSchema,
  operatedProvidersSchema,
  type AccountId,
  type BreakerName,
  type Component,
  type Provider,
} from '@outdial/contracts';
import { createOperationsReader } from '@outdial/persistence';
import { createBreakers, createGate, createLineGate } from '@outdial/reservations';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { openApi, type TestApi } from '../../../../test/open-api.ts';
import type { TestAccount } from '../../../../test/seeds.ts';
import type { SignedIn } from '../../../../test/sign-in.ts';
import { readProviders } from './list-providers.ts';

const API_KEY = 'sk-operator-0123456789-wxyz';
let api: TestApi;
let account: TestAccount;
let operator: SignedIn;
let owner: SignedIn;
let redis: Redis;
beforeAll(async () => {
  api = await openApi();
  account = await api.account();
  operator = await api.signIn({ isOperator: true });
  owner = await api.signIn({ memberships: [{ accountId: account.id, role: 'owner' }] });
  redis = new Redis(api.stores.redisUrl);
});
afterAll(async () => {
  redis.disconnect();
  await api.close();
});

const ask = (who = operator) => api.request('GET', '//api/dashboard/operations/providers', { headers: who.headers });
const read = async () => operatedProvidersSchema.parse((await ask()).json);
const find = async (id: string) => (await read()).credentials.find((credential) => credential.id === id);

function add(provider: Provider, limits: { readonly maxConcurrentCalls?: number; readonly limitsGroup?: string } = {}) {
  const secretKey = randomBytes(32);
  return api.admin.credentialsOf(null).create({
    provider,
    name: `${provider} ${randomUUID()}`,
    apiKey: API_KEY,
    baseUrl: null,
    region: null,
    secretKey,
    ...limits,
  });
}

const at = (credentialId: string, component: Component, isOwn = false) =>
  breakersOf(
    { provider: 'openai', component, model: 'gpt one', credentialId, isOwn },
    { accountId: account.id, agentId: agentIdSchema.parse(account.agentId), agentVersion: 1 },
  );
const open = (breaker: BreakerName | null, ownedBy: AccountId | null) =>
  breaker &&
  createBreakers({ redis }).change(breaker, 0, { kind: 'open', forMs: 60_000, isChecked: false, owner: ownedBy });

describe('GET /operations/providers', () => {
  it('200: how many calls have each line of how many, and which models get fewer', async () => {
    const credential = await add('openai', { maxConcurrentCalls: 40 });
    const name = lineNameOf({ credentialId: credential.id, accountId: null, group: null }, 'llm');
    const { id } = (await api.request('POST', '/outbound/calls', { key: account.key, json: account.newCall })).call();
    const lines = createLineGate({ redis });
    const { token } = await createGate({ redis }).state();
    expect(token).not.toBeNull();
    // No call has used a model in this Redis yet: how many lines are in use is not known, rather than zero.
    expect((await find(credential.id))?.lines.map(({ in_use: inUse }) => inUse)).toEqual([null, null]);
    if (token) await lines.restore(token, []);
    const model = at(credential.id, 'llm').model;
    const line = { name, maxCalls: 40, startsPerSecond: 1_000, isShared: true, isClosed: false, breakers: [model] };
    const callId = callIdSchema.parse(id);
    expect(await lines.acquire({ callId, trunks: [], lines: [line] })).toMatchObject({ kind: 'acquired' });
    await lines.lower({ line: name, model, forMs: 60_000 });
    const found = await find(credential.id);
    expect(found?.lines).toEqual([
      { component: 'realtime', in_use: 0, max_calls: 40, starts_per_second: 1_000, lowered: [] },
      {
        component: 'llm',
        in_use: 1,
        max_calls: 40,
        starts_per_second: 1_000,
        lowered: [{ model: 'gpt one', max_calls: 1, until: expect.any(String) }],
      },
    ]);
  });

  it('200: a group has the least of the limits of its credentials', async () => {
    const [wide, narrow] = [
      await add('deepgram', { limitsGroup: 'project', maxConcurrentCalls: 90 }),
      await add('deepgram', { limitsGroup: 'project', maxConcurrentCalls: 30 }),
    ];
    for (const { id } of [wide, narrow]) {
      expect(await find(id)).toMatchObject({
        limits_group: 'project',
        lines: [
          { component: 'stt', max_calls: 30 },
          { component: 'tts', max_calls: 30 },
        ],
      });
    }
  });

  it('200: open breakers of the operator’s models, apart from those of one account', async () => {
    const credential = await add('openai');
    const own = credentialIdSchema.parse(randomUUID());
    const shared = at(credential.id, 'realtime');
    const agentVersion = at(credential.id, 'llm').agentVersion;
    await open(shared.model, null);
    await open(shared.account, account.id);
    await open(agentVersion, account.id);
    await open(at(own, 'llm', true).model, account.id);
    const { account_breakers: ofAccounts } = await read();
    const outage = { state: 'open', openings: 1, since: expect.any(String), until: expect.any(String) };
    expect((await find(credential.id))?.breakers).toEqual([{ component: 'realtime', model: 'gpt one', ...outage }]);
    const common = { provider: 'openai', model: 'gpt one', account: { id: account.id, name: 'Acme' } };
    const ofOperator = { ...common, credential: credential.name, ...outage };
    expect(ofAccounts).toHaveLength(3);
    expect(ofAccounts).toEqual(
      expect.arrayContaining([
        { ...ofOperator, component: 'realtime', scope: 'account' },
        { ...ofOperator, component: 'llm', scope: 'agent_version' },
        { ...common, ...outage, component: 'llm', scope: 'account', credential: null },
      ]),
    );
  });

  it('200: a rejected key comes first, and nothing of a key is shown', async () => {
    const credential = await add('cartesia');
    await api.admin.credentialsOf(null).recordCheck(credential, 'rejected');
    await api.admin.credentialsOf(account.id).create({
      provider: 'elevenlabs',
      name: 'an account’s own',
      apiKey: API_KEY,
      baseUrl: null,
      region: null,
      secretKey: randomBytes(32),
    });
    const answer = await ask();
    const [first] = operatedProvidersSchema.parse(answer.json).credentials;
    expect(first).toMatchObject({ id: credential.id, check_result: 'rejected', checked_at: expect.any(String) });
    expect(answer.text).not.toContain(API_KEY.slice(-4));
    expect(answer.text).not.toContain('an account’s own');
  });

  it('403 to an owner of an account, and 401 without a session', async () => {
    const refused = await ask(owner);
    expect([refused.status, refused.error().code]).toEqual([403, 'operator_only']);
    const headers = { 'Sec-Fetch-Site': 'same-origin' };
    const answer = await api.request('GET', '//api/dashboard/operations/providers', { headers });
    expect([answer.status, answer.error().code]).toEqual([401, 'not_signed_in']);
  });
});

const away = async () => Promise.reject(new Error('Redis is away'));
function opened(breaker: BreakerName, ownedBy: AccountId | null, sinceMs: number): OpenBreaker {
  return { breaker, owner: ownedBy, sinceMs, untilMs: sinceMs, forMs: 0, streak: 1, needsCheck: false };
}

describe('a reading of providers', () => {
  test('has the credentials while Redis is away, and says that the rest is unknown', async () => {
    const { id } = await add('anthropic');
    const operationsReader = createOperationsReader(api.database);
    const found = await readProviders({ operationsReader, breakers: { open: away }, lineReader: { read: away } });
    expect(found.account_breakers).toBeNull();
    expect(found.credentials.find((credential) => credential.id === id)).toMatchObject({
      breakers: null,
      lines: [{ component: 'llm', in_use: null, max_calls: 1_000 }],
    });
  });

  test('has a bound, and counts what it leaves out', async () => {
    const { id } = await add('openai');
    const operationsReader = createOperationsReader(api.database);
    const many = Array.from({ length: 60 }, (_, index) => [
      opened(at(id, 'llm').model, null, index),
      opened(at(id, 'llm').agentVersion, account.id, index),
    ]).flat();
    const lineReader = { read: async () => null };
    const found = await readProviders({ operationsReader, breakers: { open: async () => many }, lineReader });
    expect(found.credentials.find((credential) => credential.id === id)?.breakers).toHaveLength(20);
    expect(found.account_breakers).toHaveLength(50);
    expect(found.account_breakers?.[0]).toMatchObject({ since: new Date(59).toISOString(), state: 'half_open' });
    expect(found.more_account_breakers).toBe(10);
    expect(await operationsReader.credentials(2)).toMatchObject({ hasMore: true, credentials: { length: 2 } });
  });
});
