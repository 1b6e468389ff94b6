import { randomUUID } from 'node:crypto';
import { callListSchema } from '@outdial/contracts';
import { createGate } from '@outdial/reservations';
import { privatePostgres, privateRedis, type PrivateServer } from '@outdial/testkit';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from './client.ts';
import { openApi, type TestApi } from './open-api.ts';
import type { TestAccount } from './seeds.ts';

let redis: PrivateServer;
let postgres: PrivateServer;
let api: TestApi;
let account: TestAccount;

beforeAll(async () => {
  [redis, postgres] = await Promise.all([privateRedis(), privatePostgres()]);
  api = await openApi({ stores: { redisUrl: redis.url, databaseUrl: postgres.url } });
  account = await api.account({ capacity: 1_000, balance: '1000' });
});
afterAll(async () => {
  await api.close();
  await Promise.all([redis.close(), postgres.close()]);
});
// A test that fails leaves no store away for the next one.
afterEach(async () => {
  for (const server of [redis, postgres]) await server.start().catch(() => server.resume());
});

const create = (key = `k ${randomUUID()}`) =>
  api.request('POST', '/outbound/calls', {
    key: account.key,
    json: account.newCall,
    headers: { 'Idempotency-Key': key },
    once: true,
  });
const createInTheEnd = async () => {
  await expect.poll(async () => (await create()).status).toBe(201);
};
const readAccount = () => api.request('GET', '/account', { key: account.key, once: true });

async function storedIds(): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  let cursor: string | null = null;
  do {
    const query: string = cursor === null ? '' : `&cursor=${cursor}`;
    const answer = await api.request('GET', `/outbound/calls?limit=100${query}`, { key: account.key });
    const page = callListSchema.parse(answer.json);
    for (const call of page.calls) ids.add(call.id);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return ids;
}

/** The gate's own count of slots. */
async function slotsInUse(): Promise<number> {
  const connection = new Redis(redis.url);
  try {
    return (await createGate({ redis: connection }).state()).slotsInUse;
  } finally {
    connection.disconnect();
  }
}

/** The store is still away when the answer arrives; serve.test.ts proves the limit with a fake clock. */
function expectUnavailable(answer: Answer): void {
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
}

/** None of these was stored, then or later, and the slots in use are those of existing calls. */
async function expectNothingKept(before: ReadonlySet<string>, answers: readonly Answer[]): Promise<void> {
  const after = await storedIds();
  const unknown = new Set(
    answers
      .map((answer) => answer.error())
      .filter(({ code }) => code === 'outcome_unknown')
      .map(({ details }) => JSON.stringify(details)),
  );
  for (const id of after) {
    if (!before.has(id)) expect(unknown).toContain(JSON.stringify({ call_id: id }));
  }
}

describe('with Redis hung', () => {
  it('creating answers 503 while it hangs and stores nothing; reading continues', async () => {
    await createInTheEnd();
    const before = await storedIds();
    await redis.pause();
    const [creations, readings, readiness] = await Promise.all([
      Promise.all(Array.from({ length: 8 }, () => create())),
      Promise.all(Array.from({ length: 4 }, readAccount)),
      api.request('GET', '//readyz'),
    ]);
    for (const answer of creations) {
      expectUnavailable(answer);
      expect(answer.error().code).toBe('service_unavailable');
    }
    for (const answer of readings) expect(answer.status).toBe(200);
    expect([readiness.status, readiness.json]).toEqual([
      503,
      { status: 'not_ready', postgres: 'up', redis: 'away', gate: 'unknown', timeline: 'unknown', warm: false },
    ]);
    await redis.resume();
    await api.untilReady();
    await expectNothingKept(before, creations);
    await expect.poll(slotsInUse).toBe(before.size);
    await createInTheEnd();
  });
});

describe('with Redis down', () => {
  it('creating answers 503 while it is down, reading continues within its limits; when Redis is back, the gate is rebuilt', async () => {
    const limited = await api.account({ requestsPerSecond: 5 });
    const before = await storedIds();
    await redis.kill();
    const creations = await Promise.all(Array.from({ length: 8 }, () => create()));
    for (const answer of creations) {
      expectUnavailable(answer);
      expect(answer.error().code).toBe('service_unavailable');
    }
    await expect.poll(async () => (await readAccount()).status).toBe(200);
    const readings = await Promise.all(
      Array.from({ length: 20 }, () => api.request('GET', '/account', { key: limited.key })),
    );
    const passed = readings.filter(({ status }) => status === 200).length;
    // Counted in memory: a burst at the boundary of a second falls into two windows.
    expect(passed).toBeGreaterThanOrEqual(5);
    expect(passed).toBeLessThanOrEqual(10);
    const starting = redis.start();
    // While it starts, every answer is one of the two.
    let answer = await create();
    for (; answer.status !== 201; answer = await create()) expectUnavailable(answer);
    await starting;
    await expectNothingKept(new Set([...before, answer.call().id]), creations);
    await expect.poll(slotsInUse).toBe(before.size + 1);
  });
});

describe('with Redis away', () => {
  it.each([
    ['hung', () => redis.pause()],
    ['down', () => redis.kill()],
  ])('a call for later is accepted, repeated, shown and cancelled while it is %s', async (_how, takeAway) => {
    await expect.poll(async () => (await readAccount()).status).toBe(200);
    await takeAway();
    const json = { ...account.newCall, scheduled_for: new Date(Date.now() + 3_600_000).toISOString() };
    const headers = { 'Idempotency-Key': randomUUID() };
    const plan = () => api.request('POST', '/outbound/calls', { key: account.key, json, headers, once: true });
    const planned = await plan();
    expect([planned.status, planned.call().status]).toEqual([201, 'scheduled']);
    const { id } = planned.call();
    expect((await plan()).call().id).toBe(id);
    const ofCall = { key: account.key, once: true };
    expect((await api.request('GET', `/outbound/calls/${id}`, ofCall)).call().status).toBe('scheduled');
    expectUnavailable(await create());
    const ended = await api.request('POST', `/outbound/calls/${id}/end`, ofCall);
    expect([ended.status, ended.call().ended_reason]).toEqual([202, 'cancelled']);
    await redis.start().catch(() => redis.resume());
    await api.untilReady();
  });
});

describe('with Postgres hung', () => {
  it('creating answers 503 while it hangs, and says of each call whether it may have been accepted', async () => {
    const before = await storedIds();
    // Fresh entries in the directory: these requests get as far as COMMIT.
    await expect.poll(async () => (await readAccount()).status).toBe(200);
    const keys = Array.from({ length: 8 }, () => randomUUID());
    await postgres.pause();
    // Far more than there are connections: no answer waits for another.
    const crowd = Array.from({ length: 32 }, () => create());
    const creations = await Promise.all([...keys.map((key) => create(key)), ...crowd]);
    const later = await create();
    const reading = await readAccount();
    const readiness = await api.request('GET', '//readyz');
    for (const answer of [...creations, later, reading]) expectUnavailable(answer);
    expect(later.error().code).toBe('service_unavailable');
    expect(readiness.json).toMatchObject({ status: 'not_ready', postgres: 'away', redis: 'up' });
    await postgres.resume();
    await api.untilReady();
    await expectNothingKept(before, [...creations, later]);
    // The answer asks for a retry with the same key: it is one call, whatever the outcome of the first attempt.
    for (const key of keys) {
      await expect.poll(async () => (await create(key)).status).toBe(201);
      expect((await create(key)).call().id).toBe((await create(key)).call().id);
    }
  });
});

describe('with Postgres down', () => {
  it('creating and reading answer 503 while it is down; when it is back, both work', async () => {
    const before = await storedIds();
    await postgres.kill();
    const creations = await Promise.all(Array.from({ length: 8 }, () => create()));
    for (const answer of [...creations, await readAccount()]) expectUnavailable(answer);
    expect((await api.request('GET', '//healthz')).status).toBe(200);
    await postgres.start();
    await api.untilReady();
    await expectNothingKept(before, creations);
    await createInTheEnd();
    await expect.poll(async () => (await readAccount()).status).toBe(200);
  });
});

describe('started before its stores', () => {
  it('the API reports that it runs, answers 503, and is ready once they are available', async () => {
    const before = await storedIds();
    await Promise.all([redis.stop(), postgres.stop()]);
    const early = await api.startAnother();
    expect((await early.request('GET', '//healthz')).status).toBe(200);
    const readiness = await early.request('GET', '//readyz');
    expect(readiness.json).toEqual({
      status: 'not_ready',
      postgres: 'away',
      redis: 'away',
      gate: 'unknown',
      timeline: 'unknown',
      warm: false,
    });
    // Otherwise a load balancer would answer, and not say which store is away.
    expect((await early.request('GET', '//readyz?stores=ignore')).status).toBe(200);
    const creation = { key: account.key, json: account.newCall };
    const refused = await early.request('POST', '/outbound/calls', { ...creation, once: true });
    expectUnavailable(refused);
    await Promise.all([redis.start(), postgres.start()]);
    await early.untilReady();
    await expectNothingKept(before, [refused]);
    expect((await early.request('POST', '/outbound/calls', creation)).status).toBe(201);
  });
});
