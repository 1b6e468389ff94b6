import { randomUUID } from 'node:crypto';
import {
  agentEnvelopeSchema,
  micros,
  tryEnvelopeSchema,
  tryIdSchema,
  type TryBody,
  type TryEvent,
} from '@outdial/contracts';
import { createReconcileStore, createTryStore } from '@outdial/persistence';
import { createTryChannel } from '@outdial/queue';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDesk } from '../../../test/desk.ts';
import { openEventStream } from '../../../test/event-stream-client.ts';
import { openApi, type TestApi } from '../../../test/open-api.ts';
import type { TestAccount } from '../../../test/seeds.ts';

let api: TestApi;
let redis: Redis;
const price = (unit: 'input_text_token' | 'output_text_token') => ({
  component: 'realtime' as const,
  provider: 'openai' as const,
  model: 'gpt-realtime',
  unit,
  priceMicrosPerMillion: micros(10_000_000),
  estimateMicrosPerMinute: micros(100_000),
});
beforeAll(async () => {
  api = await openApi();
  redis = new Redis(api.stores.redisUrl);
  await api.database.side.$executeRaw`
    INSERT INTO provider_credentials (id, account_id, provider, name, sealed, shown_suffix)
    VALUES (${randomUUID()}::uuid, NULL, 'openai', 'shared', '\\x00'::bytea, '')`;
  await api.admin.modelRates.import({
    currency: 'USD',
    rates: [price('input_text_token'), price('output_text_token')],
  });
});
afterAll(async () => {
  redis.disconnect();
  await api.close();
});

const realtime = {
  driver: 'realtime',
  name: 'Appointment',
  instructions: 'You remind {{name}} of a visit.',
  model: { provider: 'openai', model: 'gpt-realtime' },
};
const CASCADE = {
  driver: 'cascade',
  name: 'Chain',
  instructions: 'You remind people of a visit.',
  stt: { provider: 'deepgram' },
  llm: { provider: 'openai', model: 'gpt-5-mini' },
  tts: { provider: 'elevenlabs', voice: 'simulatedvoice1' },
};
/** Five minutes at two estimates of 0.1 a minute. */
const HOLD = 1;

const newAccount = (balance = '10.00') => api.account({ scopes: ['outbound', 'manage'], balance });
const request = ({ key }: TestAccount, method: string, path: string, json?: object) =>
  api.request(method, path, { key, ...(json === undefined ? {} : { json }) });

async function newAgent(account: TestAccount, settings: object = realtime): Promise<string> {
  return agentEnvelopeSchema.parse((await request(account, 'POST', '/agents', { settings })).json).agent.id;
}
const begin = (account: TestAccount, agentId: string, json: object = { variables: { name: 'Zoë' } }) =>
  request(account, 'POST', `/agents/${agentId}/try`, json);
async function begun(account: TestAccount, agentId: string): Promise<TryBody> {
  const answer = await begin(account, agentId);
  expect(answer.status).toBe(201);
  return tryEnvelopeSchema.parse(answer.json).try;
}
const end = (tryId: string) => api.database.side.$executeRaw`
  UPDATE agent_tries SET ended_at = clock_timestamp(), ended_reason = 'ended_by_user' WHERE id = ${tryId}::uuid`;

it('201: a try begins with its hold, is queued, and ends within five minutes', async () => {
  const account = await newAccount();
  const agentId = await newAgent(account);
  const made = await begun(account, agentId);
  expect(made).toMatchObject({ agent_id: agentId, agent_version: 1, status: 'waiting', cost: 0, currency: 'USD' });
  expect(Date.parse(made.expires_at) - Date.parse(made.created_at)).toBe(300_000);
  const wallet = await api.admin.wallets.show(account.id);
  expect(wallet.heldMicros).toBe(BigInt(HOLD * 1_000_000));
  expect(await redis.exists(`{outdial-queue}:tries:${made.id}`)).toBe(1);
  const found = await request(account, 'GET', `/agents/${agentId}/try/${made.id}`);
  expect(found.json).toEqual({ try: made });
});

it('429: the third at once, and more than ten minutes in an hour; another account is not delayed', async () => {
  const [account, neighbor] = [await newAccount(), await newAccount()];
  const agentId = await newAgent(account);
  const [first, second] = [await begun(account, agentId), await begun(account, agentId)];
  const third = await begin(account, agentId);
  expect([third.status, third.error().code, third.error().details]).toEqual([
    429,
    'rate_limited',
    { scope: 'account', thing: 'open_tries', max: 2, in_use: 2 },
  ]);
  expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0);
  await begun(neighbor, await newAgent(neighbor));
  // Both took their five minutes.
  for (const { id } of [first, second]) {
    await api.database.side.$executeRaw`
      UPDATE agent_tries SET created_at = created_at - interval '5 minutes', expires_at = clock_timestamp()
      WHERE id = ${id}::uuid`;
    await end(id);
  }
  const late = await begin(account, agentId);
  expect([late.status, late.error().details]).toMatchObject([429, { thing: 'try_seconds', max: 600 }]);
  await begun(neighbor, await newAgent(neighbor));
  // An hour later.
  await api.database.side.$executeRaw`
    UPDATE agent_tries SET created_at = created_at - interval '1 hour', expires_at = expires_at - interval '1 hour',
      ended_at = ended_at - interval '1 hour' WHERE account_id = ${account.id}::uuid`;
  await begun(account, agentId);
});

it('of many that begin at once, no more than two are open, and no more is held than for those', async () => {
  const account = await newAccount();
  const agentId = await newAgent(account);
  const answers = await Promise.all(Array.from({ length: 8 }, () => begin(account, agentId)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(6);
  expect((await api.admin.wallets.show(account.id)).heldMicros).toBe(BigInt(2 * HOLD * 1_000_000));
});

it('402, 422 and 400: money, prices, credentials, variables and scripted agents are checked first', async () => {
  const poor = await newAccount('0.50');
  const funds = await begin(poor, await newAgent(poor));
  expect([funds.status, funds.error().code, funds.error().details]).toEqual([
    402,
    'insufficient_funds',
    { required: HOLD, available: 0.5, currency: 'USD' },
  ]);
  const account = await newAccount();
  const code = async (agentId: string, json?: object) => {
    const answer = await begin(account, agentId, json);
    return [answer.status, answer.error().code];
  };
  expect(await code(await newAgent(account, CASCADE))).toEqual([422, 'model_not_priced']);
  const google = { ...CASCADE, llm: { provider: 'google', model: 'gemini-flash' } };
  expect(await code(await newAgent(account, google))).toEqual([422, 'provider_not_configured']);
  expect(await code(await newAgent(account), {})).toEqual([400, 'invalid_request']);
  expect(await code(account.agentId)).toEqual([422, 'try_not_possible']);
  expect(await code(await newAgent(account), { version: 9 })).toEqual([404, 'agent_not_found']);
});

it('404: another account sees, hears, says and ends nothing of a try', async () => {
  const [account, stranger] = [await newAccount(), await newAccount()];
  const agentId = await newAgent(account);
  const { id } = await begun(account, agentId);
  expect((await begin(stranger, agentId)).error().code).toBe('agent_not_found');
  const path = `/agents/${agentId}/try/${id}`;
  for (const answer of [
    await request(stranger, 'GET', path),
    await request(stranger, 'GET', `${path}/events`),
    await request(stranger, 'POST', `${path}/messages`, { text: 'Hello?' }),
    await request(stranger, 'POST', `${path}/end`),
  ]) {
    expect([answer.status, answer.error().code]).toEqual([404, 'try_not_found']);
  }
  expect(await createTryChannel({ redis }).sentAfter(tryIdSchema.parse(id), '0')).toEqual([]);
});

it('403 scope_missing: a key for calls alone begins no try', async () => {
  const reader = await api.account();
  expect((await begin(reader, reader.agentId)).error().code).toBe('scope_missing');
});

it('a member says something by session, follows the answer, and resumes after the last event', async () => {
  const account = await newAccount();
  const agentId = await newAgent(account);
  const member = await openDesk(api, account.id, 'member');
  const made = await member.request('POST', `agents/${agentId}/try`, { json: { variables: { name: 'Zoë' } } });
  const { id } = tryEnvelopeSchema.parse(made.json).try;
  const said = await member.request('POST', `agents/${agentId}/try/${id}/messages`, { json: { text: 'Hello?' } });
  expect(said.status).toBe(202);
  const channel = createTryChannel({ redis });
  const sent = await channel.sentAfter(tryIdSchema.parse(id), '0');
  expect(sent.map(({ text }) => JSON.parse(text))).toEqual([{ type: 'say', text: 'Hello?' }]);

  const follow = (lastEventId?: string) =>
    openEventStream(api.url, {
      path: `/api/v1/agents/${agentId}/try/${id}/events`,
      headers: { 'X-API-Key': account.key },
      ...(lastEventId === undefined ? {} : { lastEventId }),
    });
  const words: TryEvent = { type: 'agent_text', item: 'item_1', text: 'Hi.' };
  await channel.report(tryIdSchema.parse(id), [JSON.stringify(words)]);
  const stream = await follow();
  const [first] = await stream.until((messages) => messages.length === 1);
  expect([first?.type, JSON.parse(first?.data ?? '')]).toEqual(['agent_text', words]);
  // Redis lost the rest: Postgres knows that it has ended.
  await end(id);
  const all = await stream.until((messages) => messages.length === 2);
  expect(JSON.parse(all[1]?.data ?? '')).toEqual({ type: 'ended', reason: 'ended_by_user', cost: 0 });
  expect(await stream.ended).toEqual({ whole: true });
  expect((await follow(first?.id)).status).toBe(204);
  const late = await member.request('POST', `agents/${agentId}/try/${id}/messages`, { json: { text: 'Hello?' } });
  expect(late.status).toBe(409);
});

it('a try that was charged stands in the ledger with the name of its agent', async () => {
  const account = await newAccount();
  const agentId = await newAgent(account);
  const { id } = await begun(account, agentId);
  const store = createTryStore(api.database);
  const claim = await store.claim({ tryId: tryIdSchema.parse(id), leaseMs: 60_000 });
  if (claim.kind !== 'claimed') throw new Error('it is claimed');
  const token = await createReconcileStore(api.database).currentToken();
  const usage = [
    { component: 'realtime', provider: 'openai', model: 'gpt-realtime', unit: 'output_text_token', quantity: 10 },
  ] as const;
  await store.finish({
    tryId: tryIdSchema.parse(id),
    lease: claim.job.lease,
    reason: 'ended_by_user',
    usage,
    costMicros: micros(100),
    token,
  });
  const owner = await openDesk(api, account.id, 'owner');
  const ledger = await owner.request('GET', 'account/ledger');
  expect(ledger.json).toMatchObject({
    entries: [
      { kind: 'try_charge', amount: -0.0001, balance_after: 9.9999, agent_name: 'Appointment', call_id: null },
      { kind: 'top_up', agent_name: null },
    ],
  });
});
