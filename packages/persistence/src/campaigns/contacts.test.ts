import type { CampaignId, EndedReason } from '@outdial/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countBlocksOf, type BlockCounts } from '../../test/block-counts.ts';
import { beginTurn, campaignsOf, RETRY, running, stock, take } from '../../test/campaigns.ts';
import { claim, createWorld, settlementOf, type Party, type World } from '../../test/world.ts';
import type { ContactOutcome, ContactQuery } from './read-campaigns.ts';
import { createCampaignSweepStore } from './sweep-campaigns.ts';

const MANY = 100_000;
const RARE = 40;
const TABLES = [
  'calls',
  'call_schedules',
  'campaign_contacts',
  'campaign_uploads',
  'campaign_outcomes',
  'campaign_lanes',
];
/** Levels of indexes and the pages of what is found. Scanning contacts or outcomes would be thousands. */
const MAX_BLOCKS = 400;

let world: World;
let counts: BlockCounts;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const contactsOf = (party: Party, id: CampaignId, query: Partial<ContactQuery>) =>
  campaignsOf(world.database, party).contacts(id, { after: null, limit: 100, ...query });

async function linesOf(party: Party, id: CampaignId, outcome: ContactOutcome): Promise<readonly number[]> {
  const { contacts } = await contactsOf(party, id, { outcome });
  for (const { callId, endedReason } of contacts)
    expect([callId === null, endedReason ?? 'not_dialled']).toEqual([outcome === 'not_dialled', outcome]);
  return contacts.map(({ line }) => line);
}

/** Admits the next contacts of a campaign, as many as there are reasons, and ends their calls like this. */
async function call(party: Party, id: CampaignId, reasons: readonly EndedReason[]): Promise<void> {
  const turn = await beginTurn(world, party);
  await stock(world, turn, id, reasons.length);
  const taken = await take(world, turn, id, reasons.length);
  for (const { callId, admitToken } of taken) {
    const { reservationId, token, holdMicros, rate, place } = await world.row(party);
    await world.schedules.admit({ callId, admitToken, reservationId, token, holdMicros, rate, conducted: null, place });
  }
  const inOrder = await world.database.side.$queryRaw<{ callId: (typeof taken)[number]['callId'] }[]>`
    SELECT call_id AS "callId" FROM call_schedules WHERE call_id = ANY (${taken.map(({ callId }) => callId)}::uuid[])
    ORDER BY contact_upload, contact_line`;
  for (const [at, { callId }] of inOrder.entries()) {
    const driven = await claim(world.drives, callId);
    await world.drives.settle(settlementOf(driven, { reason: reasons[at] ?? 'busy' }));
  }
  await world.schedules.endTurn({ ...turn, notBeforeMs: 0 });
}

describe('the contacts of a campaign by outcome', () => {
  test('are those whose last call ended so; a call that is tried again is no outcome yet', async () => {
    const party = await world.party();
    const id = await running(world, party, { contacts: 5, retry: RETRY });
    await call(party, id, ['callee_hangup', 'busy', 'callee_hangup', 'declined']);
    expect(await linesOf(party, id, 'callee_hangup')).toEqual([1, 3]);
    expect(await linesOf(party, id, 'declined')).toEqual([4]);
    expect(await linesOf(party, id, 'busy')).toEqual([]);
    expect(await linesOf(party, id, 'not_dialled')).toEqual([]);
    await campaignsOf(world.database, party).changeState(id, { kind: 'cancel' });
    while ((await createCampaignSweepStore(world.database).endOver({ limit: 500 })).length > 0);
    expect(await linesOf(party, id, 'cancelled')).toEqual([2]);
    expect(await linesOf(party, id, 'not_dialled')).toEqual([5]);
    const { byReason } = (await campaignsOf(world.database, party).find(id)) ?? { byReason: [] };
    const final = byReason.filter(({ isFinal }) => isFinal).map(({ reason, calls }) => [reason, calls]);
    const listed = await world.database.side.$queryRaw<{ reason: string; calls: number }[]>`
      SELECT reason, count(*)::int AS calls FROM campaign_outcomes WHERE campaign_id = ${id}::uuid GROUP BY 1 ORDER BY 1`;
    expect(final).toEqual(listed.map(({ reason, calls }) => [reason, calls]));
  });

  test('come in pages, in the order in which they were called', async () => {
    const party = await world.party();
    const id = await running(world, party, { contacts: 5 });
    await call(party, id, ['busy', 'busy', 'declined', 'busy', 'busy']);
    const lines: number[] = [];
    for (let after: ContactQuery['after'] = null; ;) {
      const page = await contactsOf(party, id, { after, limit: 2, outcome: 'busy' });
      lines.push(...page.contacts.map(({ line }) => line));
      after = page.contacts.at(-1) ?? null;
      if (!page.hasMore) break;
    }
    expect(lines).toEqual([1, 2, 4, 5]);
  });
});

describe(`of ${MANY} contacts, of which ${RARE} were busy and as many have no call`, () => {
  let party: Party;
  let id: CampaignId;
  beforeAll(async () => {
    counts = await countBlocksOf(world.databaseUrl, TABLES);
    party = await world.party();
    id = await running({ ...world, database: counts.single }, party, { contacts: 1 });
    const { side } = counts.single;
    await side.$executeRaw`
      INSERT INTO campaign_contacts (campaign_id, upload, line, number)
      SELECT ${id}::uuid, 1, n, 12025000000 + n FROM generate_series(2, ${MANY}::int) n`;
    await side.$executeRaw`
      INSERT INTO campaign_outcomes (campaign_id, upload, line, reason)
      SELECT ${id}::uuid, 1, n, CASE WHEN n % ${MANY / RARE}::int = 0 THEN 'busy' ELSE 'declined' END::ended_reason
      FROM generate_series(1, ${MANY - RARE}::int) n`;
    await side.$executeRaw`
      UPDATE campaign_lanes SET cursor_upload = 1, cursor_line = ${MANY - RARE}::int WHERE campaign_id = ${id}::uuid`;
    await side.$executeRaw`UPDATE campaigns SET state = 'cancelling' WHERE id = ${id}::uuid`;
  });
  afterAll(() => counts.close());

  // Before and after the statistics know of them.
  test.each([false, true])('a page reads what it shows (analyzed: %s)', async (isAnalyzed) => {
    if (isAnalyzed) await counts.single.side.$executeRawUnsafe(`ANALYZE ${TABLES.join(', ')}`);
    const own = campaignsOf(counts.single, party);
    const outcomes = ['busy', 'declined', 'not_dialled', 'no_answer'] as const;
    for (const outcome of isAnalyzed ? [...outcomes, undefined] : outcomes) {
      for (const line of [0, MANY / 2]) {
        const page = { after: { upload: 1, line }, limit: 20, outcome };
        // Twice: what other connections read before is counted at some time, in one of the two.
        const read = () => counts.of(() => own.contacts(id, page));
        const blocks = Math.min(await read(), await read());
        expect([outcome, line, blocks < MAX_BLOCKS ? 'few' : blocks]).toEqual([outcome, line, 'few']);
      }
    }
    expect((await own.contacts(id, { after: null, limit: 20, outcome: 'busy' })).contacts).toHaveLength(20);
    expect((await own.contacts(id, { after: null, limit: 100, outcome: 'not_dialled' })).contacts).toHaveLength(RARE);
  });
});
