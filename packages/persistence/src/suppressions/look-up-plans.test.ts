import { e164Schema } from '@outdial/contracts';
import { systemClock } from '@outdial/kernel';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertScheduledCalls } from '../../test/many-calls.ts';
import { claim, createWorld, type Party, type World } from '../../test/world.ts';
import { withoutAutovacuum } from '../../test/without-autovacuum.ts';
import { createAcceptStore } from '../accept/accept-store.ts';
import { createDatabase, type Database } from '../database.ts';
import { createDriveStore } from '../drive/drive-store.ts';
import { endSuppressedAfter, endSuppressedTo } from '../drive/end-suppressed.ts';

const ENTRIES = 30_000;
const CALLS = 30_000;
const DAY_MS = 86_400_000;
/** Levels of indexes and the pages of a few rows: a list has some 300 pages, and its indexes as many. */
const MAX_BLOCKS = 60;

let world: World;
let single: Database;
let party: Party;

/** Entries of the account, beside the numbers of its calls. */
async function addEntries(): Promise<void> {
  await single.side.$executeRaw`
    INSERT INTO suppressions (account_id, number, kind, source, created_by, created_at)
    SELECT ${party.accountId}::uuid, 14425550000 + n, 'manual', 'import', 'test', clock_timestamp()
    FROM generate_series(1, ${ENTRIES}::int) AS n`;
}

beforeAll(async () => {
  world = await createWorld();
  // One connection, so that its plans are kept, and its statistics can be flushed before they are read.
  const patience = { queryTimeoutMs: 60_000, connectTimeoutMs: 60_000 };
  single = createDatabase({ url: world.databaseUrl, poolSize: 1, readPoolSize: 1, ...patience });
  await withoutAutovacuum(single, ['call_schedules', 'calls', 'suppressions']);
  party = await world.party();
});
afterAll(async () => {
  await single.close();
  await world.close();
});

async function countBlocks(tables: readonly string[]): Promise<number> {
  for (const pool of [single.hot, single.side]) await pool.$queryRaw`SELECT pg_stat_force_next_flush()::text`;
  const [row] = await single.side.$queryRaw<{ blocks: number }[]>`
    SELECT sum(heap_blks_read + heap_blks_hit + idx_blks_read + idx_blks_hit)::int AS blocks
    FROM pg_statio_user_tables WHERE relname = ANY (${[...tables]}::text[])`;
  return row?.blocks ?? 0;
}

/** How many pages of these tables, with their indexes, it reads. */
async function blocksOf(tables: readonly string[], act: () => Promise<unknown>): Promise<number> {
  const before = await countBlocks(tables);
  await act();
  return (await countBlocks(tables)) - before;
}

const accept = async () => {
  const outcome = await createAcceptStore(single, { clock: systemClock }).accept(await world.row(party));
  if (outcome.kind !== 'accepted') throw new Error(`the call was not accepted: ${outcome.kind}`);
  return outcome.call;
};

describe(`with ${ENTRIES} numbers on the list of an account`, () => {
  beforeAll(async () => {
    // A session plans its functions for good after five uses, while no list has an entry.
    await single.side.$executeRaw`ANALYZE suppressions`;
    for (let nth = 0; nth < 8; nth += 1) await accept();
    await addEntries();
  });

  test.each(['before', 'after'])('accepting and claiming look up one number, %s the list is analyzed', async (when) => {
    if (when === 'after') await single.side.$executeRaw`ANALYZE suppressions`;
    for (let nth = 0; nth < 8; nth += 1) {
      const accepting = await blocksOf(['suppressions'], accept);
      expect(accepting).toBeLessThan(MAX_BLOCKS);
      const call = await accept();
      const claiming = () => claim(createDriveStore(single), call.id);
      expect(await blocksOf(['suppressions'], claiming)).toBeLessThan(MAX_BLOCKS);
    }
  });
});

describe(`with ${CALLS} scheduled calls of an account`, () => {
  const numbers = Array.from({ length: 5 }, (_, nth) => e164Schema.parse(`+120255600${10 + nth}`));

  beforeAll(async () => {
    await insertScheduledCalls(world.database, party, { count: CALLS, fromMs: DAY_MS });
    for (const number of numbers) {
      await single.side.$executeRaw`
        INSERT INTO suppressions (account_id, number, kind, source, created_by, created_at)
        VALUES (${party.accountId}::uuid, ${BigInt(number.slice(1))}, 'opt_out', 'call', 'callee', clock_timestamp())`;
    }
  });

  const tables = ['calls', 'call_schedules', 'suppressions'];

  test('an opt-out that ends what is scheduled reads the calls to that number', async () => {
    const [calleeNumber] = numbers;
    const [call] = await single.side.$queryRaw<{ id: Parameters<typeof endSuppressedAfter>[1] }[]>`
      SELECT id FROM calls WHERE account_id = ${party.accountId}::uuid AND callee_number = ${calleeNumber}`;
    if (!call) throw new Error('the number has a call');
    const ended: unknown[] = [];
    const blocks = await blocksOf(tables, async () => {
      ended.push(...(await endSuppressedAfter(single, call.id)));
    });
    expect(ended).toEqual([call.id]);
    expect(blocks).toBeLessThan(6 * MAX_BLOCKS);
  });

  test('numbers that are added end their calls without reading the others', async () => {
    const ended: unknown[] = [];
    const { accountId } = party;
    const blocks = await blocksOf(tables, async () => {
      ended.push(...(await endSuppressedTo(single, { accountId, numbers: numbers.slice(1) })));
    });
    expect(ended).toHaveLength(numbers.length - 1);
    expect(blocks).toBeLessThan(12 * MAX_BLOCKS);
  });
});
