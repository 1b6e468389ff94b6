import { randomUUID } from 'node:crypto';
import { accountEnvelopeSchema, callIdSchema, callListSchema } from '@outdial/contracts';
import { createLogger } from '@outdial/kernel';
import { createCallQueue } from '@outdial/queue';
import { createGate } from '@outdial/reservations';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { startBeside } from './api-process.ts';
import { createClient, type Answer, type ApiClient } from './client.ts';
import { openApi, type TestApi } from './open-api.ts';
import type { TestAccount } from './seeds.ts';

let api: TestApi;
/** Another process: a thousand clients beside the API in this one would slow it down. */
let server: ReturnType<typeof startBeside>;
let client: ApiClient;

beforeAll(async () => {
  api = await openApi();
  server = startBeside(api);
  client = createClient(await server.listening());
  await client.untilReady();
});
afterAll(async () => {
  server.child.kill('SIGTERM');
  await server.ended;
  await api.close();
});

/** The API gives a client ten seconds for the head of a request. On a slow machine, a thousand heads take this process longer. */
const MOST_AT_ONCE = 200;

async function createAtOnce(account: TestAccount, count: number, headers: Record<string, string> = {}) {
  const create = () => client.request('POST', '/outbound/calls', { key: account.key, json: account.newCall, headers });
  const answers: Answer[] = [];
  let begun = 0;
  const work = async () => {
    while (begun < count) {
      begun += 1;
      answers.push(await create());
    }
  };
  await Promise.all(Array.from({ length: Math.min(count, MOST_AT_ONCE) }, work));
  return answers;
}

/** Counts answers by status and code. */
function countsOf(answers: readonly Answer[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const answer of answers) {
    const outcome = answer.status === 201 ? '201' : `${answer.status} ${answer.error().code}`;
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

async function holdingsOf(account: TestAccount) {
  const overview = await api.request('GET', '/account', { key: account.key });
  return accountEnvelopeSchema.parse(overview.json).account;
}

const idsOf = (answers: readonly Answer[]) =>
  answers.filter(({ status }) => status === 201).map((answer) => answer.call().id);

/** How many requests of unknown outcome became calls: each answer names the call to look up. */
async function storedOfUnknown(account: TestAccount, answers: readonly Answer[]): Promise<number> {
  const unknown = answers.filter(({ status }) => status === 503).map((answer) => answer.error().details);
  const found = await Promise.all(
    unknown.map(async (details) => {
      const { call_id: id } = z.object({ call_id: z.guid() }).parse(details);
      return (await client.request('GET', `/outbound/calls/${id}`, { key: account.key })).status;
    }),
  );
  return found.filter((status) => status === 200).length;
}

/**
 * Expects that exactly as many calls were accepted as there was room for, and the others were rejected with that code.
 * A busy machine may leave some outcomes unknown: each of these may be a call or not.
 */
async function expectExactly(limit: number, account: TestAccount, answers: readonly Answer[], refusal: string) {
  const counts = countsOf(answers);
  const { '201': accepted = 0, '503 outcome_unknown': unknown = 0, [refusal]: refused = 0 } = counts;
  expect(accepted + unknown + refused).toBe(answers.length);
  expect(accepted).toBeLessThanOrEqual(limit);
  expect(accepted + unknown).toBeGreaterThanOrEqual(limit);
  expect(new Set(idsOf(answers)).size).toBe(accepted);
  const { capacity, wallet } = await holdingsOf(account);
  const stored = accepted + (await storedOfUnknown(account, answers));
  expect(stored).toBeLessThanOrEqual(limit);
  expect(capacity.in_use).toBeGreaterThanOrEqual(stored);
  expect(capacity.in_use).toBeLessThanOrEqual(limit);
  expect(wallet.held).toBeCloseTo(0.024 * capacity.in_use, 6);
}

it(
  'of 1,000 creations with capacity for 100, 200 at a time, exactly 100 are accepted',
  { timeout: 120_000 },
  async () => {
    const account = await api.account({ capacity: 100, balance: '1000' });
    await expectExactly(100, account, await createAtOnce(account, 1_000), '429 capacity_exceeded');
  },
);

it('of 50 creations at once with funds for 7, exactly 7 are accepted', async () => {
  const account = await api.account({ capacity: 50, balance: '0.17' });
  await expectExactly(7, account, await createAtOnce(account, 50), '402 insufficient_funds');
});

it('50 creations at once under one idempotency key are one call', async () => {
  const account = await api.account({ capacity: 50 });
  const answers = await createAtOnce(account, 50, { 'Idempotency-Key': randomUUID() });
  const ids = idsOf(answers);
  expect(ids.length).toBeGreaterThan(0);
  expect(new Set(ids).size).toBe(1);
  for (const answer of answers.filter(({ status }) => status !== 201)) {
    expect(['409 idempotency_in_progress', '503 outcome_unknown']).toContain(`${answer.status} ${answer.error().code}`);
  }
  const list = await api.request('GET', '/outbound/calls', { key: account.key });
  expect(callListSchema.parse(list.json).calls).toHaveLength(1);
  // The gate holds the reservation of a repeated request until it is known to be one.
  await expect.poll(async () => (await holdingsOf(account)).capacity.in_use).toBe(1);
});

it('a rejection at the capacity of the system does not reveal its figures', async () => {
  const account = await api.account({ capacity: 10 });
  const redis = new Redis(api.stores.redisUrl);
  const gate = createGate({ redis });
  // What an aborted attempt on a busy machine left behind counts until a worker frees it, and no worker runs.
  const { slotsInUse } = await gate.state();
  await gate.refreshSystem(await api.admin.capacity.setSystem(slotsInUse + 1));
  const answers = await createAtOnce(account, 3);
  await gate.refreshSystem(await api.admin.capacity.setSystem(1_000));
  redis.disconnect();
  const { '201': accepted = 0, '503 outcome_unknown': unknown = 0, ...refusals } = countsOf(answers);
  expect([accepted + unknown, refusals]).toEqual([1, { '429 capacity_exceeded': 2 }]);
  const refused = answers.find(({ status }) => status === 429);
  expect(refused?.error().details).toEqual({ scope: 'system' });
  expect(refused?.error().message).not.toMatch(/\d/);
  expect(refused?.headers.get('retry-after')).toBe('5');
});

it('every accepted call is in the queue', async () => {
  const account = await api.account({ capacity: 40 });
  const answers = await createAtOnce(account, 40);
  const redis = new Redis(api.stores.redisUrl);
  const queue = createCallQueue({ redis, logger: createLogger({ name: 'test', level: 'silent' }) });
  const ids = idsOf(answers).map((id) => callIdSchema.parse(id));
  await expect.poll(() => queue.missing(ids)).toEqual([]);
  await queue.close();
  redis.disconnect();
});
