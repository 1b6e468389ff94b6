import type { Turn } from '@outdial/calls';
import type { CampaignId } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countBlocksOf, type BlockCounts } from '../../test/block-counts.ts';
import { campaignsOf, RETRY, running, stateOf } from '../../test/campaigns.ts';
import { createWorld, type Party, type World } from '../../test/world.ts';
import { createCallReader } from '../read/call-reader.ts';
import { createScheduleStore } from '../schedule/schedule-store.ts';
import { createCampaignSweepStore } from './sweep-campaigns.ts';

const CONTACTS = 100_000;
const RETRIES = 20_000;
/** Where the cursor is. To read what it has passed would be more than a thousand pages. */
const PASSED = 90_000;
const TABLES = [
  'calls',
  'call_schedules',
  'campaigns',
  'campaign_lanes',
  'campaign_contacts',
  'campaign_uploads',
  'campaign_counts',
  'dial_turns',
];
/** Levels of indexes and the pages of what is found. Scanning contacts or calls would be thousands. */
const MAX_BLOCKS = 400;

let world: World;
let party: Party;
let counts: BlockCounts;
let big: CampaignId;
const others: CampaignId[] = [];

interface Filling {
  readonly contacts: number;
  readonly retries: number;
  readonly passed?: number;
}

/** Contacts of which the first ones have a call that is due tomorrow, as a retry would be. */
async function fill(id: CampaignId, { contacts, retries, passed = retries }: Filling) {
  const { side } = counts.single;
  await side.$executeRaw`
    INSERT INTO campaign_contacts (campaign_id, upload, line, number)
    SELECT ${id}::uuid, 1, n, 12025000000 + n FROM generate_series(2, ${contacts}::int) n`;
  await side.$executeRaw`UPDATE campaign_uploads SET accepted = ${contacts}::int WHERE campaign_id = ${id}::uuid`;
  await side.$executeRaw`UPDATE campaigns SET contact_count = ${contacts}::int WHERE id = ${id}::uuid`;
  await side.$executeRaw`
    WITH made AS (
      INSERT INTO calls (id, account_id, agent_id, agent_version, caller_number, callee_number, status, currency, rate_prefix,
        connection_fee_micros, price_per_minute_micros, initial_increment_seconds, increment_seconds, hold_micros,
        max_duration_seconds, ring_timeout_seconds, request_id, created_at, expires_at, campaign_id)
      SELECT gen_random_uuid(), ${party.accountId}::uuid, ${party.agentId}::uuid, 1, '+12025550100', '+' || (12025000000 + n),
        'scheduled', 'USD', '1', 0, 0, 1, 1, 0, 600, 30, 'many ' || n, now(), now() + interval '90 days', ${id}::uuid
      FROM generate_series(1, ${retries}::int) n RETURNING id, account_id, substr(callee_number, 5)::bigint - 5000000 AS line
    )
    INSERT INTO call_schedules (call_id, account_id, scheduled_for, give_up_at, due_at, is_waiting, waiting_for, queue_ttl_seconds,
      campaign_id, contact_upload, contact_line)
    SELECT id, account_id, now() + interval '1 day', now() + interval '90 days', now() + interval '1 day', true, 'time', 600,
      ${id}::uuid, 1, line FROM made`;
  await side.$executeRaw`
    UPDATE campaign_lanes SET cursor_upload = 1, cursor_line = ${passed}::int, passed = ${passed}::int
    WHERE campaign_id = ${id}::uuid`;
}

beforeAll(async () => {
  world = await createWorld();
  party = await world.party();
  counts = await countBlocksOf(world.databaseUrl, TABLES);
  const own = { ...world, database: counts.single };
  big = await running(own, party, { contacts: 1, retry: RETRY });
  for (let each = 0; each < 19; each += 1) others.push(await running(own, party, { contacts: 1 }));
  await fill(big, { contacts: CONTACTS, retries: RETRIES, passed: PASSED });
  for (const id of others) await fill(id, { contacts: 1_000, retries: 10 });
  await counts.single.side.$executeRawUnsafe(`ANALYZE ${TABLES.join(', ')}`);
});
afterAll(async () => {
  await counts.close();
  await world.close();
});

describe(`a turn of an account with a campaign of ${CONTACTS} contacts and ${RETRIES} retries for later, and 19 others`, () => {
  let turn: Turn;

  test('reads what it may admit, and no contact that it cannot stock', async () => {
    const store = createScheduleStore(counts.single);
    const begun: Turn[] = [];
    const blocks = await counts.of(async () => begun.push(...(await store.beginTurns({ workerId: 'w', limit: 10 }))));
    const [first] = begun;
    invariant(first, 'the account is due');
    turn = first;
    expect(turn.campaigns).toHaveLength(20);
    expect(Math.max(...turn.campaigns.map(({ contactsLeft }) => contactsLeft))).toBe(400);
    // Of each of 20 campaigns.
    expect(blocks).toBeLessThan(4 * MAX_BLOCKS);
  });

  test('stocks, takes, and ends, each within what it changes', async () => {
    const store = createScheduleStore(counts.single);
    const of = { accountId: turn.accountId, epoch: turn.epoch, campaignId: big };
    // A call is inserted into some ten indexes.
    expect(await counts.of(() => store.stock({ ...of, limit: 1 }))).toBeLessThan(MAX_BLOCKS);
    expect(await counts.of(() => store.stock({ ...of, limit: 20 }))).toBeLessThan(20 * 60 + MAX_BLOCKS);
    expect(await counts.of(() => store.takeDue({ ...of, limit: 20 }))).toBeLessThan(2 * MAX_BLOCKS);
    const campaignNotes = turn.campaigns.map(({ campaignId }) => {
      return { campaignId, deficit: 0.5, heldBy: null, notBeforeMs: 500 };
    });
    const [note] = campaignNotes.filter(({ campaignId }) => campaignId === big);
    invariant(note, 'the large campaign is in the turn');
    const endingOne = () => store.endTurn({ ...turn, notBeforeMs: 500, campaignNotes: [note] });
    const ending = () => store.endTurn({ ...turn, notBeforeMs: 500, campaignNotes });
    expect(await counts.of(ending)).toBeLessThan(4 * MAX_BLOCKS);
    expect(await counts.of(endingOne)).toBeLessThan(MAX_BLOCKS);
  });

  test('is looked after by sweeps that read no contact and no retry', async () => {
    const sweep = createCampaignSweepStore(counts.single);
    expect(await counts.of(() => sweep.endOver({ limit: 500 }))).toBeLessThan(2 * MAX_BLOCKS);
    expect(await counts.of(() => sweep.toHangUp({ limit: 500 }))).toBeLessThan(MAX_BLOCKS);
    expect(await counts.of(() => sweep.move({ limit: 100 }))).toBeLessThan(MAX_BLOCKS);
    await counts.single.side
      .$executeRaw`UPDATE campaign_lanes SET measured_at = clock_timestamp() - interval '1 minute'`;
    const measured: number[] = [];
    // Of each of 20 campaigns.
    expect(await counts.of(async () => measured.push(await sweep.measure({ limit: 500 })))).toBeLessThan(
      4 * MAX_BLOCKS,
    );
    expect(measured).toEqual([20]);
    expect(await counts.of(() => createScheduleStore(counts.single).mendTurns())).toBeLessThan(MAX_BLOCKS);
  });
});

test('is shown, with what its next call waits for, and reads neither its contacts nor its calls', async () => {
  const own = campaignsOf(counts.single, party);
  expect(await counts.of(() => own.find(big))).toBeLessThan(100);
  expect(await counts.of(() => own.page({ after: null, limit: 20 }))).toBeLessThan(2 * MAX_BLOCKS);
});

test('a page of a campaign’s calls reads a page, wherever its calls lie among the others', async () => {
  const reader = createCallReader(counts.single);
  const [other] = others;
  invariant(other, 'there are others');
  for (const [campaignId, calls] of [
    [big, 20],
    [other, 10],
  ] as const) {
    const found: number[] = [];
    const filter = { campaignId };
    const read = async () => found.push((await reader.list({ ...party, filter, after: null, limit: 20 })).length);
    expect(await counts.of(read)).toBeLessThan(MAX_BLOCKS);
    expect(found).toEqual([calls]);
  }
});

test('a change of the end of a campaign changes none of its calls', async () => {
  const changing = () =>
    campaignsOf(counts.single, party).update(big, {
      change: { endsAtMs: Date.now() + 3_600_000 },
      states: ['running'],
    });
  expect(await counts.of(changing)).toBeLessThan(100);
  expect((await stateOf({ ...world, database: counts.single }, party, big)).endsAtMs).toBeGreaterThan(Date.now());
});
