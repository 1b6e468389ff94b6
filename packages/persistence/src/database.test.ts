import { randomUUID } from 'node:crypto';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { privatePostgres, type PrivateServer } from '@outdial/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createDatabase, type Database } from './database.ts';

/** For tests that do not test a timeout. */
const PATIENCE = { queryTimeoutMs: 60_000, connectTimeoutMs: 60_000 };

let server: PrivateServer;
let database: Database;
beforeAll(async () => {
  server = await privatePostgres();
});
afterAll(() => server.close());
beforeEach(async () => {
  database = createDatabase({
    url: server.url,
    poolSize: 2,
    readPoolSize: 2,
    queryTimeoutMs: 1_000,
    connectTimeoutMs: 1_000,
  });
  // Warm connections: the tests look at what a hang does to open ones.
  await returns();
});
afterEach(() => database.close());

const answers = () => database.hot.$queryRaw<{ marker: string }[]>`SELECT ${randomUUID()} AS marker`;
/** Idle connections whose last statement was `SELECT 1`. */
const idleConnections = async () => {
  const [row] = await database.side.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM pg_stat_activity WHERE state = 'idle' AND query = 'SELECT 1'`;
  return row?.count;
};
const readersSeenByAccept = async () => {
  const [row] = await database.hot.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE state = 'active' AND query LIKE 'SELECT pg_sleep(0.8)%'`;
  return row?.count;
};
const returns = () => expect.poll(answers).toHaveLength(1);

/** The first of both, by timers: on a stalled machine both elapse and fire in order. */
async function orLate<Value>(work: Promise<Value>, afterMs: number): Promise<Value | 'late'> {
  const late = async () => {
    await sleep(afterMs);
    // The error of a broken connection takes a turn or two of the event loop to arrive.
    for (let turns = 0; turns < 5; turns += 1) await turn();
    return 'late' as const;
  };
  return Promise.race([work, late()]);
}

test('a hanging statement times out, and its connection is never used again', async () => {
  const [{ pid } = { pid: 0 }] = await database.hot.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
  await server.pause();
  await expect(orLate(answers(), 2_000)).rejects.toThrow('timeout');
  await server.resume();
  await returns();
  // The late results of the abandoned statement are discarded: each statement gets its own.
  const markers = Array.from({ length: 20 }, () => randomUUID());
  const rows = await Promise.all(
    markers.map(
      (marker) => database.hot.$queryRaw<{ marker: string; pid: number }[]>`
      SELECT ${marker} AS marker, pg_backend_pid() AS pid`,
    ),
  );
  expect(rows.map(([row]) => row?.marker)).toEqual(markers);
  expect(rows.map(([row]) => row?.pid)).not.toContain(pid);
});

test('a ping of a hanging Postgres fails within a second, for any number of callers', async () => {
  await server.pause();
  const pings = Promise.allSettled(Array.from({ length: 50 }, () => database.ping()));
  const settled = await orLate(pings, 1_000);
  await server.resume();
  expect(settled).toEqual(Array.from({ length: 50 }, () => expect.objectContaining({ status: 'rejected' })));
  await expect.poll(() => database.ping().then(() => 'up')).toBe('up');
});

test('everything recovers after a restart of Postgres', async () => {
  await server.kill();
  await expect(answers()).rejects.toBeInstanceOf(Error);
  await expect(database.ping()).rejects.toBeInstanceOf(Error);
  await server.start();
  await returns();
  await expect.poll(() => database.ping().then(() => 'up')).toBe('up');
});

test('slow reads never delay an accept', async () => {
  const readings = Promise.allSettled(
    Array.from({ length: 6 }, () => database.side.$queryRaw`SELECT pg_sleep(0.8)::text`),
  );
  // An accept that had to wait for a reader would see fewer than the maximum of concurrent reads.
  await expect.poll(readersSeenByAccept, { interval: 10 }).toBe(2);
  await readings;
});

test('closing returns at once after idle connections have closed', async () => {
  const idle = createDatabase({ url: server.url, poolSize: 3, readPoolSize: 3, idleTimeoutMs: 1, ...PATIENCE });
  await Promise.all([
    idle.ping(),
    ...[idle.hot, idle.side].flatMap((pool) => Array.from({ length: 3 }, () => pool.$queryRaw`SELECT 1`)),
  ]);
  await expect.poll(idleConnections).toBe(0);
  await idle.close();
});
