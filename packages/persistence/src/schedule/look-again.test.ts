import type { ScheduledCall, ScheduleRow } from '@outdial/calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertScheduledCalls } from '../../test/many-calls.ts';
import { createWorld, type Party, type World } from '../../test/world.ts';
import { createDatabase } from '../database.ts';
import { lookAgain } from './look-again.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

interface Waiting {
  readonly waitingFor?: ScheduleRow['waitingFor'];
  /** From now on. */
  readonly dueInMs?: number;
  readonly scheduledInMs?: number;
}

/** A call that waits until tomorrow. */
function waiting(of: Party, { waitingFor = 'window', dueInMs = DAY_MS, scheduledInMs = 0 }: Waiting = {}) {
  const nowMs = Date.now();
  const schedule = { scheduledForMs: nowMs + scheduledInMs, giveUpAtMs: nowMs + 2 * DAY_MS, retry: null };
  return world.scheduled(of, { waitingFor, dueAtMs: nowMs + dueInMs, schedule });
}

async function dueInMs({ id }: Pick<ScheduledCall, 'id'>): Promise<number> {
  const [row] = await world.database.side.$queryRaw<{ due: number }[]>`
    SELECT epoch_ms(due_at) AS due FROM call_schedules WHERE call_id = ${id}::uuid`;
  return (row?.due ?? 0) - Date.now();
}

async function turnInMs({ accountId }: Party): Promise<number> {
  const [row] = await world.database.side.$queryRaw<{ due: number }[]>`
    SELECT epoch_ms(LEAST(due_at, new_due)) AS due FROM dial_turns WHERE account_id = ${accountId}::uuid`;
  return (row?.due ?? 0) - Date.now();
}

const again = (of: Party) => lookAgain(world.database, of.accountId);

test('calls that wait for hours or for a cap are due at once, and their account has a turn', async () => {
  const party = await world.party();
  const calls = [await waiting(party), await waiting(party)];
  await world.database.side.$executeRaw`
    UPDATE call_schedules SET waiting_for = 'cap' WHERE call_id = ${calls[0]?.id}::uuid`;
  expect(await turnInMs(party)).toBeGreaterThan(HOUR_MS);
  expect(await again(party)).toBe(2);
  for (const call of calls) expect(await dueInMs(call)).toBeLessThan(2_001);
  expect(await turnInMs(party)).toBeLessThan(2_001);
});

test('a call is not due before its own time', async () => {
  const party = await world.party();
  const call = await waiting(party, { scheduledInMs: 6 * HOUR_MS });
  expect(await again(party)).toBe(1);
  expect(await dueInMs(call)).toBeGreaterThan(5 * HOUR_MS);
  expect(await turnInMs(party)).toBeLessThan(6 * HOUR_MS + 1);
  expect(await again(party)).toBe(0);
});

test('calls that wait for something else stay, and so do those of other accounts', async () => {
  const party = await world.party();
  const other = await world.party();
  const calls = [
    await waiting(party, { waitingFor: 'time', scheduledInMs: DAY_MS }),
    await waiting(party, { waitingFor: 'capacity' }),
    await waiting(other),
  ];
  expect(await again(party)).toBe(0);
  for (const call of calls) expect(await dueInMs(call)).toBeGreaterThan(HOUR_MS);
  expect(await turnInMs(other)).toBeGreaterThan(HOUR_MS);
});

test('what another statement has locked is skipped, without waiting for it', async () => {
  const party = await world.party();
  const [locked, free] = [await waiting(party), await waiting(party)];
  await world.database.hot.$transaction(async (held) => {
    await held.$executeRaw`SELECT FROM call_schedules WHERE call_id = ${locked.id}::uuid FOR NO KEY UPDATE`;
    expect(await again(party)).toBe(1);
  });
  expect(await dueInMs(locked)).toBeGreaterThan(HOUR_MS);
  expect(await dueInMs(free)).toBeLessThan(2_001);
});

test('more calls than a batch has are all due', async () => {
  const party = await world.party();
  await Promise.all(Array.from({ length: 1_001 }, () => waiting(party)));
  expect(await again(party)).toBe(1_001);
});

test('a call is read once, however many wait', async () => {
  const party = await world.party();
  const count = 5_000;
  await insertScheduledCalls(world.database, party, { count, fromMs: HOUR_MS });
  await world.database.side.$executeRaw`
    UPDATE call_schedules SET waiting_for = 'window', scheduled_for = now() WHERE account_id = ${party.accountId}::uuid`;
  await world.database.side.$executeRawUnsafe('VACUUM (ANALYZE) call_schedules');
  // One connection, so that its statistics can be flushed before they are read. It plans as for a large table.
  const patience = { queryTimeoutMs: 60_000, connectTimeoutMs: 60_000 };
  const single = createDatabase({ url: world.databaseUrl, poolSize: 1, readPoolSize: 1, ...patience });
  await single.side.$executeRawUnsafe('SET enable_seqscan = off');
  await single.side.$executeRawUnsafe('SET enable_sort = off');
  const rowsRead = async () => {
    await single.side.$queryRaw`SELECT pg_stat_force_next_flush()::text`;
    const [row] = await single.side.$queryRaw<{ rows: number }[]>`
      SELECT (seq_tup_read + idx_tup_fetch)::int AS rows FROM pg_stat_user_tables WHERE relname = 'call_schedules'`;
    return row?.rows ?? 0;
  };
  const before = await rowsRead();
  expect(await lookAgain(single, party.accountId)).toBe(count);
  // Once to find it, and once to change it.
  expect((await rowsRead()) - before).toBeLessThan(2.5 * count);
  await single.close();
});
