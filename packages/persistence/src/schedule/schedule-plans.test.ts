import type { CallFilter, Turn } from '@outdial/calls';
import { parseCallSearch } from '@outdial/contracts';
import { systemClock } from '@outdial/kernel';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countBlocksOf, type BlockCounts } from '../../test/block-counts.ts';
import { insertScheduledCalls } from '../../test/many-calls.ts';
import { createWorld, type Party, type World } from '../../test/world.ts';
import type { Database } from '../database.ts';
import { createAcceptStore } from '../accept/accept-store.ts';
import { createCallReader } from '../read/call-reader.ts';
import { createScheduleStore } from './schedule-store.ts';

const CALLS = 30_000;
const DAY_MS = 86_400_000;
/** Levels of indexes and the pages of what is found: independent of the number of calls, of which a page has about 50. */
const MAX_BLOCKS = 400;

let world: World;
let counts: BlockCounts;
let single: Database;
let later: Party;
let due: Party;

beforeAll(async () => {
  world = await createWorld();
  counts = await countBlocksOf(world.databaseUrl, ['calls', 'call_schedules']);
  ({ single } = counts);
  later = await world.party();
  due = await world.party();
  await insertScheduledCalls(single, later, { count: CALLS, fromMs: DAY_MS });
  await insertScheduledCalls(single, due, { count: CALLS, fromMs: -DAY_MS });
});
afterAll(async () => {
  await counts.close();
  await world.close();
});

const blocksOf = (read: () => Promise<unknown>) => counts.of(read);

describe(`with ${CALLS} calls of an account that are due tomorrow, and as many of another that are due`, () => {
  test('a turn reads what it admits', async () => {
    const store = createScheduleStore(single);
    const turns: Turn[] = [];
    const begun = await blocksOf(async () => turns.push(...(await store.beginTurns({ workerId: 'w', limit: 10 }))));
    // It counts up to 200 calls that are due.
    expect(begun).toBeLessThan(2 * MAX_BLOCKS);
    expect(new Set(turns.map(({ dueCalls }) => dueCalls))).toEqual(new Set([0, 200]));
    for (const turn of turns) {
      expect(await blocksOf(() => store.takeDue({ ...turn, limit: 20 }))).toBeLessThan(2 * MAX_BLOCKS);
      expect(await blocksOf(() => store.endTurn({ ...turn, notBeforeMs: 0 }))).toBeLessThan(2 * MAX_BLOCKS);
    }
  });

  test('looking for expired calls reads none', async () => {
    const store = createScheduleStore(single);
    expect(await blocksOf(() => store.endExpired({ limit: 500 }))).toBeLessThan(100);
  });

  test('looking for overlooked accounts reads one call of each', async () => {
    const store = createScheduleStore(single);
    expect(await blocksOf(() => store.mendTurns())).toBeLessThan(40);
  });

  test.each<[string, CallFilter]>([
    ['no filter', {}],
    ['status scheduled', { status: 'scheduled' }],
    ['status queued', { status: 'queued' }],
    ['a number', { search: parseCallSearch('+12025560077') }],
    ['metadata', { search: parseCallSearch('customer=c77') }],
  ])('a page of the list reads a page: %s', async (_, filter) => {
    const reader = createCallReader(single);
    const input = { accountId: later.accountId, filter, after: null, limit: 20 };
    const found: number[] = [];
    expect(await blocksOf(async () => found.push((await reader.list(input)).length))).toBeLessThan(MAX_BLOCKS);
    expect(found[0]).toBe(filter.status === 'queued' ? 0 : filter.search ? 1 : 20);
  });

  test('the overview and the count of open calls read no scheduled call', async () => {
    const reader = createCallReader(single);
    expect(await blocksOf(() => reader.overview(later.accountId, null))).toBeLessThan(20);
    const accepts = createAcceptStore(single, { clock: systemClock });
    expect(await blocksOf(() => accepts.countScheduled(later.accountId, 100))).toBeLessThan(MAX_BLOCKS);
  });
});
