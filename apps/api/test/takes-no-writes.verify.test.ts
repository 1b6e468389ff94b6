import { randomUUID } from 'node:crypto';
import { privatePostgres, privateRedis, type PrivateServer } from '@outdial/testkit';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApi, type TestApi } from './open-api.ts';
import type { TestAccount } from './seeds.ts';

let redis: PrivateServer;
let postgres: PrivateServer;
let operator: Client;
let api: TestApi;
let account: TestAccount;

beforeAll(async () => {
  [redis, postgres] = await Promise.all([privateRedis(), privatePostgres()]);
  operator = new Client({ connectionString: postgres.url });
  await operator.connect();
  api = await openApi({ stores: { redisUrl: redis.url, databaseUrl: postgres.url } });
  account = await api.account({ capacity: 1_000, balance: '1000' });
  await api.untilReady();
});
afterAll(async () => {
  await api.close();
  await operator.end();
  await Promise.all([redis.close(), postgres.close()]);
});

const create = (key: string = randomUUID()) =>
  api.request('POST', '/outbound/calls', {
    key: account.key,
    json: account.newCall,
    headers: { 'Idempotency-Key': key },
    once: true,
  });
const readiness = async () => (await api.request('GET', '//readyz')).json;
const configure = async (statement: string) => {
  await operator.query(statement);
  await operator.query('SELECT pg_reload_conf()');
};

test('Redis demoted to a replica under open connections: 503 and not ready, then creates work without a restart', async () => {
  await expect.poll(async () => (await create()).status).toBe(201);
  const connection = new Redis(redis.url);
  await connection.replicaof('127.0.0.1', 1);
  for (let attempt = 0; attempt < 3; attempt += 1) {
    expect((await create()).error().code).toBe('service_unavailable');
    expect(await readiness()).toMatchObject({ status: 'not_ready', redis: 'away', postgres: 'up' });
  }
  await connection.replicaof('NO', 'ONE');
  connection.disconnect();
  await api.untilReady();
  await expect.poll(async () => (await create()).status).toBe(201);
});

test('Postgres read-only: a create fails with nothing stored, and its key is free once writes are possible', async () => {
  const key = randomUUID();
  await configure('ALTER SYSTEM SET default_transaction_read_only = on');
  await expect.poll(readiness).toMatchObject({ status: 'not_ready', postgres: 'away', redis: 'up' });
  const refusals = [await create(key), await create(key), await create(key)];
  expect(refusals.map((answer) => answer.error().code)).toEqual(refusals.map(() => 'service_unavailable'));
  await configure('ALTER SYSTEM RESET default_transaction_read_only');
  await api.untilReady();
  // Not a 409: the rejected attempts left nothing behind under the key.
  expect((await create(key)).status).toBe(201);
});

test('the synchronous standby lost: not ready, creates are rejected at once, and work once it is back', async () => {
  const keys = Array.from({ length: 40 }, () => randomUUID());
  await configure("ALTER SYSTEM SET synchronous_standby_names = 'a_standby_that_is_lost'");
  const first = await Promise.all(keys.map((key) => create(key)));
  // The first of them may reach a Postgres that has not applied the setting yet.
  const refused = first.filter(({ status }) => status !== 201);
  for (const answer of refused) expect(['outcome_unknown', 'service_unavailable']).toContain(answer.error().code);
  await expect.poll(readiness).toMatchObject({ status: 'not_ready', postgres: 'away' });
  // Once the breaker is open each is rejected with nothing stored: no outcome is left unknown.
  await expect.poll(async () => (await Promise.all(keys.map(() => create()))).every(isRefusedWhole)).toBe(true);
  const { rows } = await operator.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity WHERE wait_event = 'SyncRep'`,
  );
  expect(rows[0]?.count).toBeLessThanOrEqual(2 * 16);
  await configure('ALTER SYSTEM RESET synchronous_standby_names');
  await api.untilReady();
  const again = await Promise.all(keys.map(createWhenUp));
  for (const [index, answer] of again.entries()) {
    const before = first[index];
    const isUnknown = before?.status === 503 && before.error().code === 'outcome_unknown';
    // The answer to an unknown outcome is a call, or that a worker has yet to find that there is none.
    expect(isUnknown ? [201, 409] : [201]).toContain(answer.status);
  }
  await expect.poll(async () => (await create()).status).toBe(201);
});

/** A busy machine may reject the first request. */
async function createWhenUp(key: string): Promise<Awaited<ReturnType<typeof create>>> {
  for (;;) {
    const answer = await create(key);
    if (answer.status !== 503) return answer;
  }
}

function isRefusedWhole(answer: Awaited<ReturnType<typeof create>>): boolean {
  return answer.status === 503 && answer.error().code === 'service_unavailable';
}

test('a superseded Postgres: not ready, and the gate is not opened with its contents', async () => {
  const connection = new Redis(redis.url);
  const token = await connection.hget('{outdial}:gate', 'token');
  // As a process writes it that works with the promoted server.
  await connection.hset('{outdial}:gate', 'token', String(token).replace(/\.[0-9A-F]{8}$/, '.0000FFFF'));
  expect(await readiness()).toMatchObject({ status: 'not_ready', postgres: 'up', timeline: 'superseded' });
  await connection.hset('{outdial}:gate', 'token', String(token));
  connection.disconnect();
  expect(await readiness()).toMatchObject({ status: 'ready', timeline: 'current' });
});
