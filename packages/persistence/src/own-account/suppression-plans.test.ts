import { e164Schema } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listOf, numbersFrom } from '../../test/suppressions.ts';
import { createWorld, type Party, type World } from '../../test/world.ts';
import { withoutAutovacuum } from '../../test/without-autovacuum.ts';
import { createDatabase, type Database } from '../database.ts';

const ENTRIES = 30_000;
/** Levels of indexes and the pages of what is found: independent of the number of entries, of which a page has about 80. */
const MAX_BLOCKS = 60;
const NUMBER = e164Schema.parse('+12025570000');

let world: World;
let single: Database;
let party: Party;

beforeAll(async () => {
  world = await createWorld();
  // One connection, so that its statistics can be flushed before they are read.
  const patience = { queryTimeoutMs: 60_000, connectTimeoutMs: 60_000 };
  single = createDatabase({ url: world.databaseUrl, poolSize: 1, readPoolSize: 1, ...patience });
  await withoutAutovacuum(single, ['suppressions']);
  party = await world.party();
  const other = await world.party();
  for (const account of [party.accountId, other.accountId, null]) {
    await world.database.side.$executeRaw`
      INSERT INTO suppressions (account_id, number, kind, source, created_by, created_at)
      SELECT ${account}::uuid, 12025560000 + n, 'manual', 'import', 'test', now() - n * interval '1 second'
      FROM generate_series(1, ${ENTRIES}::int) AS n`;
  }
  await world.database.side.$executeRaw`ANALYZE suppressions`;
});
afterAll(async () => {
  await single.close();
  await world.close();
});

async function countBlocks(): Promise<number> {
  await single.side.$queryRaw`SELECT pg_stat_force_next_flush()::text`;
  const [row] = await single.side.$queryRaw<{ blocks: number }[]>`
    SELECT sum(heap_blks_read + heap_blks_hit + idx_blks_read + idx_blks_hit)::int AS blocks
    FROM pg_statio_user_tables WHERE relname = 'suppressions'`;
  return row?.blocks ?? 0;
}

async function blocksOf(read: () => Promise<unknown>): Promise<number> {
  const before = await countBlocks();
  await read();
  return (await countBlocks()) - before;
}

const list = () => listOf(single, party.accountId);

describe(`with ${ENTRIES} entries each of two accounts and of the platform`, () => {
  test.each([
    ['no filter', {}],
    ['kind manual', { kind: 'manual' }],
    ['kind opt_out, of which there are none', { kind: 'opt_out' }],
    ['a number', { number: NUMBER }],
  ] as const)('a page of the list reads a page: %s', async (_, filter) => {
    expect(await blocksOf(() => list().page({ after: null, limit: 20, ...filter }))).toBeLessThan(MAX_BLOCKS);
  });

  test('a page in the middle reads a page', async () => {
    const [entry] = await list().find([e164Schema.parse('+12025575000')]);
    invariant(entry, 'the number is on the list');
    expect(await blocksOf(() => list().page({ after: entry, limit: 20 }))).toBeLessThan(MAX_BLOCKS);
  });

  test('looking a number up reads its entries', async () => {
    expect(await blocksOf(() => list().check([NUMBER]))).toBeLessThan(MAX_BLOCKS);
  });

  test('adding numbers reads the entries of these numbers', async () => {
    const input = { numbers: numbersFrom(10), source: 'api' } as const;
    expect(await blocksOf(() => list().add(input))).toBeLessThan(400);
  });
});
