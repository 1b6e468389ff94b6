import { testStores, type TestStores } from '@outdial/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { beginSecondLeg } from '../../test/second-leg.ts';
import { createWorld } from '../../test/world.ts';
import { createDatabase, type Database } from '../database.ts';
import { createSystemReader } from './system-reader.ts';

let stores: TestStores;
let database: Database;
beforeAll(async () => {
  stores = await testStores();
  database = createDatabase({ url: stores.databaseUrl, queryTimeoutMs: 60_000, connectTimeoutMs: 60_000 });
});
afterAll(async () => {
  await database.close();
  await stores.close();
});

it('an empty system has no open calls, and its configured capacity', async () => {
  const [setting] = await database.side.$queryRaw<{ capacity: number }[]>`SELECT capacity FROM system_settings`;
  const reader = createSystemReader(database);
  expect(await reader.openCalls()).toEqual({ openCalls: [], oldestQueuedSeconds: 0, orphanedCalls: 0, liveCalls: 0 });
  expect(await reader.read()).toEqual({
    capacity: setting?.capacity,
    balances: [],
    oldestAnalysisSeconds: 0,
    scheduledCalls: [],
    oldestDueScheduledMs: null,
    campaigns: [],
    stockCalls: 0,
    retentionLagSeconds: expect.any(Number),
    diallingPaused: false,
  });
});

it('reads neither ended nor scheduled calls', async () => {
  const plan = await database.side.$transaction(async (transaction) => {
    await transaction.$executeRaw`SET LOCAL enable_seqscan = off`;
    return transaction.$queryRaw<{ 'QUERY PLAN': string }[]>`
      EXPLAIN SELECT c.id FROM calls c WHERE c.ended_at IS NULL AND c.reservation_id IS NOT NULL`;
  });
  expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toContain('calls_held_idx');
});

it('counts what is held for second legs with the holds of their calls', async () => {
  const world = await createWorld();
  try {
    const reader = createSystemReader(world.database);
    const held = async (): Promise<number> =>
      (await reader.openCalls()).openCalls.reduce((sum, { heldMicros }) => sum + Number(heldMicros), 0);
    const call = await world.claimed(await world.party());
    const before = await held();
    await beginSecondLeg(world, call, 7_000);
    expect((await held()) - before).toBe(7_000);
    expect((await reader.openCalls()).openCalls.reduce((sum, { calls }) => sum + calls, 0)).toBe(1);
  } finally {
    await world.close();
  }
});
