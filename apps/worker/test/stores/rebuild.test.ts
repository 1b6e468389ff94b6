import { rebuildGate } from '@outdial/calls';
import { createLogger } from '@outdial/kernel';
import { createDatabase, createReconcileStore, type Database } from '@outdial/persistence';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openStage, type Stage } from '../stage.ts';

let stage: Stage;
let impatient: Database;
beforeAll(async () => {
  stage = await openStage();
  impatient = createDatabase({ url: stage.databaseUrl, queryTimeoutMs: 300, connectTimeoutMs: 60_000 });
});
beforeEach(async () => {
  const { token } = await stage.gate.state();
  if (token !== null) await stage.gate.close(token);
});
afterAll(async () => {
  await impatient.close();
  await stage.close();
});

const rebuild = (reconcileStore = createReconcileStore(impatient)) =>
  rebuildGate({
    gate: stage.gate,
    reconcileStore,
    queue: { add: async () => {}, missing: async () => [] },
    logger: createLogger({ name: 'test', level: 'silent' }),
  });

test('a rebuild fails when Postgres hangs in the middle, and the next one need not wait for it', async () => {
  await stage.database.side.$transaction(
    async (transaction) => {
      await transaction.$executeRaw`LOCK TABLE calls IN ACCESS EXCLUSIVE MODE`;
      await expect(rebuild()).rejects.toThrow('timeout');
    },
    { timeout: 60_000 },
  );
  expect((await stage.gate.state()).open).toBe(false);
  expect(await rebuild(createReconcileStore(stage.database))).toBe('rebuilt');
  expect((await stage.gate.state()).open).toBe(true);
});

test('a failed rebuild does not take the lock from its successor', async () => {
  const store = createReconcileStore(stage.database);
  const overtaken = rebuild({
    ...store,
    async snapshot() {
      // Simulates that ten seconds have passed.
      await stage.redis.hincrby('{outdial}:gate', 'rebuildingSinceMs', -10_001);
      expect((await stage.gate.beginRebuild()).kind).toBe('begun');
      throw new Error('Postgres is away');
    },
  });
  await expect(overtaken).rejects.toThrow('Postgres is away');
  expect(await rebuild(store)).toBe('under_way');
  await stage.redis.hincrby('{outdial}:gate', 'rebuildingSinceMs', -10_001);
  expect(await rebuild(store)).toBe('rebuilt');
});
