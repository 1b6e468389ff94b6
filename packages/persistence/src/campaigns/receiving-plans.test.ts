import type { Turn } from '@outdial/calls';
import type { CampaignId } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countBlocksOf, type BlockCounts } from '../../test/block-counts.ts';
import { running } from '../../test/campaigns.ts';
import { createWorld, type Party, type World } from '../../test/world.ts';
import { createScheduleStore } from '../schedule/schedule-store.ts';
import { createCampaignSweepStore } from './sweep-campaigns.ts';

const RECEIVED = 50_000;
const SMALL = 20_000;
const TABLES = [
  'calls',
  'call_schedules',
  'campaigns',
  'campaign_lanes',
  'campaign_contacts',
  'campaign_uploads',
  'dial_turns',
];
/** Levels of indexes and the pages of what is found. Reading the contacts, or an upload for each, would be tens of thousands. */
const MAX_BLOCKS = 1_000;

let world: World;
let party: Party;
let counts: BlockCounts;
let id: CampaignId;

beforeAll(async () => {
  world = await createWorld();
  party = await world.party();
  counts = await countBlocksOf(world.databaseUrl, TABLES);
  id = await running({ ...world, database: counts.single }, party, { contacts: 1 });
  const { side } = counts.single;
  await side.$executeRaw`
    INSERT INTO campaign_uploads (campaign_id, number, state, rows, accepted)
    SELECT ${id}::uuid, n, 'ready', 1, 1 FROM generate_series(2, ${SMALL}::int) n`;
  await side.$executeRaw`UPDATE campaigns SET contact_count = ${SMALL}::int WHERE id = ${id}::uuid`;
  await side.$executeRaw`
    INSERT INTO campaign_contacts (campaign_id, upload, line, number)
    SELECT ${id}::uuid, n, 1, 12125000000 + n FROM generate_series(2, ${SMALL}::int) n`;
  await side.$executeRaw`
    INSERT INTO campaign_uploads (campaign_id, number, state, rows, accepted)
    VALUES (${id}::uuid, ${SMALL + 1}::int, 'receiving', ${RECEIVED}::int, ${RECEIVED}::int)`;
  await side.$executeRaw`
    INSERT INTO campaign_contacts (campaign_id, upload, line, number)
    SELECT ${id}::uuid, ${SMALL + 1}::int, n, 12225000000 + n FROM generate_series(1, ${RECEIVED}::int) n`;
  // One contact is left of the small uploads.
  await side.$executeRaw`
    UPDATE campaign_lanes SET cursor_upload = ${SMALL - 1}::int, cursor_line = 1, passed = ${SMALL - 1}::int
    WHERE campaign_id = ${id}::uuid`;
});
afterAll(async () => {
  await counts.close();
  await world.close();
});

test.each(['without', 'with'])(
  'a turn %s statistics reads neither what is received of a file nor the small uploads that are behind',
  async (kind) => {
    const { side } = counts.single;
    if (kind === 'with') await side.$executeRawUnsafe(`ANALYZE ${TABLES.join(', ')}`);
    await side.$executeRaw`UPDATE dial_turns SET due_at = now() - interval '1 second', held_until = '-infinity'`;
    const store = createScheduleStore(counts.single);
    const begun: Turn[] = [];
    const begin = await counts.of(async () => begun.push(...(await store.beginTurns({ workerId: 'w', limit: 10 }))));
    const [turn] = begun;
    invariant(turn, 'the account is due');
    expect(turn.campaigns.map(({ contactsLeft }) => contactsLeft)).toEqual([kind === 'without' ? 1 : 0]);
    const { accountId, epoch } = turn;
    const stocking = () => store.stock({ accountId, epoch, campaignId: id, limit: 20 });
    const stock = await counts.of(stocking);
    const note = { campaignId: id, deficit: 0, heldBy: null, notBeforeMs: 500 };
    const end = await counts.of(() => store.endTurn({ accountId, epoch, notBeforeMs: 500, campaignNotes: [note] }));
    const move = await counts.of(() => createCampaignSweepStore(counts.single).move({ limit: 100 }));
    for (const blocks of [begin, stock, end, move]) expect(blocks).toBeLessThan(MAX_BLOCKS);
  },
);
