import { systemClock } from '@outdial/kernel';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDaily, savePolicy } from '../../test/policies.ts';
import { claim, createWorld, LEASE_MS, type Party, type World } from '../../test/world.ts';
import { withoutAutovacuum } from '../../test/without-autovacuum.ts';
import { createAcceptStore } from '../accept/accept-store.ts';
import { createDatabase, type Database } from '../database.ts';
import { createDriveStore } from '../drive/drive-store.ts';

const POLICIES = 10_000;
const COUNTS = 100_000;
/** Levels of indexes and the pages of a few rows: each table has hundreds of pages. */
const MAX_BLOCKS = 60;
const TABLES = ['calling_policies', 'dial_counts'];

let world: World;
let single: Database;
let party: Party;
beforeAll(async () => {
  world = await createWorld();
  // One connection, so that its plans are kept, and its statistics can be flushed before they are read.
  const patience = { queryTimeoutMs: 60_000, connectTimeoutMs: 60_000 };
  single = createDatabase({ url: world.databaseUrl, poolSize: 1, readPoolSize: 1, ...patience });
  await withoutAutovacuum(single, TABLES);
  party = await world.party();
});
afterAll(async () => {
  await single.close();
  await world.close();
});

async function countBlocks(): Promise<number> {
  for (const pool of [single.hot, single.side]) await pool.$queryRaw`SELECT pg_stat_force_next_flush()::text`;
  const [row] = await single.side.$queryRaw<{ blocks: number }[]>`
    SELECT sum(heap_blks_read + heap_blks_hit + idx_blks_read + idx_blks_hit)::int AS blocks
    FROM pg_statio_user_tables WHERE relname = ANY (${TABLES}::text[])`;
  return row?.blocks ?? 0;
}

/** Planning reads pages too, but scans nothing. */
async function countScans(): Promise<number> {
  for (const pool of [single.hot, single.side]) await pool.$queryRaw`SELECT pg_stat_force_next_flush()::text`;
  const [row] = await single.side.$queryRaw<{ scans: number }[]>`
    SELECT sum(seq_scan + idx_scan)::int AS scans FROM pg_stat_user_tables WHERE relname = ANY (${TABLES}::text[])`;
  return row?.scans ?? 0;
}

/** How many pages of these tables, with their indexes, it reads. */
async function blocksOf(act: () => Promise<unknown>): Promise<number> {
  const before = await countBlocks();
  await act();
  return (await countBlocks()) - before;
}

const accept = async () => {
  const outcome = await createAcceptStore(single, { clock: systemClock }).accept(await world.row(party));
  if (outcome.kind !== 'accepted') throw new Error(`the call was not accepted: ${outcome.kind}`);
  return outcome.call;
};
const drive = async () => {
  const { id } = await accept();
  const drives = createDriveStore(single);
  const { epoch } = await claim(drives, id);
  await drives.reclaim({ callId: id, epoch, leaseMs: LEASE_MS });
};

test('an account that never had a policy reads neither policies nor counts', async () => {
  const before = await countScans();
  await drive();
  expect((await countScans()) - before).toBe(0);
});

describe(`with ${POLICIES} versions of policies and ${COUNTS} counted numbers`, () => {
  beforeAll(async () => {
    const settings = { ...openDaily('00:00-24:00'), caps: [{ hours: 24, max: 50 }] };
    await savePolicy(world.database, party.accountId, settings);
    // A session plans its functions for good after five uses, while the tables are empty.
    for (let nth = 0; nth < 8; nth += 1) await drive();
    const { accountId } = party;
    await single.side.$executeRaw`
      INSERT INTO calling_policies (account_id, version, settings, saved_by)
      SELECT ${accountId}::uuid, n, ${JSON.stringify(settings)}::jsonb, 'test' FROM generate_series(2, ${POLICIES}::int) n`;
    await single.side
      .$executeRaw`UPDATE accounts SET policy_version = ${POLICIES / 2}::int WHERE id = ${accountId}::uuid`;
    await single.side.$executeRaw`
      INSERT INTO dial_counts (account_id, number, dialed_at)
      SELECT ${accountId}::uuid, 14425550000 + n, ARRAY[clock_timestamp()] FROM generate_series(1, ${COUNTS}::int) n`;
  });

  test.each(['before', 'after'])('accepting and dialing look up one of each, %s they are analyzed', async (when) => {
    if (when === 'after') await single.side.$executeRaw`ANALYZE calling_policies, dial_counts`;
    for (let nth = 0; nth < 4; nth += 1) expect(await blocksOf(drive)).toBeLessThan(2 * MAX_BLOCKS);
    expect(await blocksOf(accept)).toBeLessThan(MAX_BLOCKS);
  });
});
