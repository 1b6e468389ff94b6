import { invariant } from '@outdial/kernel';
import { createDatabase, type Database } from '@outdial/persistence';
import { connectPatiently } from '@outdial/queue';
import { createGate } from '@outdial/reservations';
import { freePort, testStores, type TestStores } from '@outdial/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { killChildWorkers, startChildWorker } from '../child-worker.ts';

let stores: TestStores;
beforeAll(async () => {
  stores = await testStores();
});
afterEach(killChildWorkers);
afterAll(() => stores.close());

const environment = (env: Readonly<Record<string, string>> = {}) => ({
  DATABASE_URL: stores.databaseUrl,
  REDIS_URL: stores.redisUrl,
  OUTDIAL_SIMULATED_MEDIA: 'off',
  ...env,
});

test('a worker whose Postgres another one has superseded is not ready, and says so', async () => {
  const port = await freePort();
  const redis = connectPatiently(stores.redisUrl);
  const child = startChildWorker(environment({ OUTDIAL_WORKER_HEALTH_PORT: String(port) }));
  await child.said('taking calls');
  const ask = async () => {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`);
    return [response.status, await response.json()];
  };
  const working = { started: true, postgres: 'up', redis: 'up' };
  await expect.poll(ask).toEqual([200, expect.objectContaining({ ...working, timeline: 'current' })]);
  await publishFromPromoted(redis);
  await expect.poll(ask).toEqual([503, expect.objectContaining({ ...working, timeline: 'superseded' })]);
  child.signal('SIGTERM');
  expect(await child.exited()).toBe(0);
  redis.disconnect();
});

/** What a process does that works with a Postgres that was promoted since. */
async function publishFromPromoted(redis: ReturnType<typeof connectPatiently>): Promise<void> {
  const gate = createGate({ redis });
  await expect.poll(async () => (await gate.state()).open).toBe(true);
  const { token } = await gate.state();
  invariant(token, 'an open gate has a token');
  await gate.close(token);
  let begun = await gate.beginRebuild();
  while (begun.kind !== 'begun') {
    // The worker rebuilds the gate as well.
    const { token: rebuilt } = await gate.state();
    if (rebuilt) await gate.close(rebuilt);
    begun = await gate.beginRebuild();
  }
  const promoted = { generation: token.generation + 1, walTimeline: 'FFFFFFFF' };
  const snapshot = { token: promoted, system: { capacity: 1, capacityVersion: 1 }, accounts: [], holds: [] };
  expect(await gate.publish(begun.ticket, snapshot)).toBe('published');
}

const start = () => startChildWorker(environment());

const complaintOf = async (child: ReturnType<typeof start>) => {
  const complaint = await child.complaint();
  expect(await child.exited()).toBe(1);
  expect(child.linesOf('taking calls')).toEqual([]);
  return complaint;
};

describe('a worker that does not fit the schema', () => {
  let database: Database;
  beforeAll(() => {
    const patience = { queryTimeoutMs: 60_000, connectTimeoutMs: 60_000 };
    database = createDatabase({ url: stores.databaseUrl, poolSize: 1, readPoolSize: 1, ...patience });
  });
  afterAll(() => database.close());

  test.each([
    [
      'lacks its newest migration',
      `UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name =
        (SELECT max(migration_name) FROM _prisma_migrations)`,
      'UPDATE _prisma_migrations SET finished_at = started_at WHERE finished_at IS NULL',
      /DATABASE_URL cannot be used: its schema lacks the migration \d+_\w+: apply the migrations first/,
    ],
    [
      'needs a later version',
      "INSERT INTO schema_versions VALUES ('99991231000000_later', '99991231000000_later')",
      "DELETE FROM schema_versions WHERE needs_code = '99991231000000_later'",
      /no longer works with this version: run one that has the migration 99991231000000_later/,
    ],
  ])('takes no call and says why, where the database %s', async (_, change, undo, reason) => {
    await database.bulk.query(change, []);
    expect(await complaintOf(start())).toMatch(reason);
    await database.bulk.query(undo, []);
    const child = start();
    await child.said('taking calls');
    child.signal('SIGTERM');
    expect(await child.exited()).toBe(0);
  });
});
