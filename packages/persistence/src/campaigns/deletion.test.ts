import { CAMPAIGN_STATES, type CampaignId } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { auditOf } from '../../test/audit.ts';
import {
  beginTurn,
  campaignsOf,
  contactsFrom,
  draft,
  inState,
  PLAN,
  running,
  stock,
  take,
} from '../../test/campaigns.ts';
import { createWorld, type Party, type World } from '../../test/world.ts';
import type { OwnCampaigns } from '../own-account/own-campaigns.ts';
import { createCampaignSweepStore } from './sweep-campaigns.ts';
import { beginUpload } from './uploads.ts';

let world: World;
let party: Party;
let campaigns: OwnCampaigns;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  await removeAll();
  party = await world.party();
  campaigns = campaignsOf(world.database, party);
});

const setState = (id: CampaignId, state: 'cancelled' | 'completed') =>
  world.database.side.$executeRaw`
    UPDATE campaigns SET state = ${state}, ended_at = clock_timestamp() WHERE id = ${id}::uuid`;
const listed = async () => (await campaigns.page({ after: null, limit: 10 })).campaigns.map(({ id }) => id);
const uploadContext = () => ({ database: world.database, accountId: party.accountId, actor: 'user:kim' });

/** Rows of a campaign by table; `campaigns` is 0 once its own is gone. */
async function rowsOf(id: CampaignId) {
  const [row] = await world.database.side.$queryRaw<
    { campaigns: number; contacts: number; outcomes: number; errors: number; uploads: number }[]
  >`
    SELECT (SELECT count(*)::int FROM campaigns WHERE id = ${id}::uuid) AS campaigns,
      (SELECT count(*)::int FROM campaign_contacts WHERE campaign_id = ${id}::uuid) AS contacts,
      (SELECT count(*)::int FROM campaign_outcomes WHERE campaign_id = ${id}::uuid) AS outcomes,
      (SELECT count(*)::int FROM campaign_upload_errors WHERE campaign_id = ${id}::uuid) AS errors,
      (SELECT count(*)::int FROM campaign_uploads WHERE campaign_id = ${id}::uuid) AS uploads`;
  return row;
}
const GONE = { campaigns: 0, contacts: 0, outcomes: 0, errors: 0, uploads: 0 };

async function removeAll(): Promise<void> {
  const sweep = createCampaignSweepStore(world.database);
  while (await sweep.removeDeleted());
}

/** A campaign that is over, with a call. */
async function called({ isOpen = false } = {}): Promise<{ readonly id: CampaignId; readonly callId: string }> {
  const id = await running(world, party);
  const turn = await beginTurn(world, party);
  await stock(world, turn, id);
  const [taken] = await take(world, turn, id, 1);
  invariant(taken, 'one is due');
  const { side } = world.database;
  if (isOpen) {
    await side.$executeRaw`
      UPDATE call_schedules SET is_waiting = false, waiting_for = NULL, admit_token = NULL, admitting_until = NULL
      WHERE campaign_id = ${id}::uuid`;
    await side.$executeRaw`
      UPDATE calls SET status = 'queued', reservation_id = gen_random_uuid(), queued_at = now() WHERE id = ${taken.callId}::uuid`;
  }
  await campaigns.changeState(id, { kind: 'cancel' });
  await createCampaignSweepStore(world.database).endOver({ limit: 500 });
  await setState(id, 'cancelled');
  return { id, callId: taken.callId };
}

describe('a deletion', () => {
  test.each(CAMPAIGN_STATES)('of a campaign that is %s', async (state) => {
    const id = await inState(world, party, state);
    const isPossible = ['draft', 'cancelled', 'completed'].includes(state);
    expect(await campaigns.delete(id)).toEqual(isPossible ? { kind: 'deleted' } : { kind: 'campaign_state', state });
    expect(await campaigns.find(id)).toEqual(isPossible ? null : expect.objectContaining({ state }));
  });

  test('hides the campaign at once from everything, is audited, and is once', async () => {
    const [id, other] = [await draft(world, party), await draft(world, party)];
    expect(await campaigns.delete(id)).toEqual({ kind: 'deleted' });
    expect(await listed()).toEqual([other]);
    for (const kind of ['pause', 'resume', 'cancel'] as const)
      expect(await campaigns.changeState(id, { kind })).toEqual({ kind: 'not_found' });
    expect(await campaigns.changeState(id, { kind: 'start', plan: PLAN })).toEqual({ kind: 'not_found' });
    expect(await campaigns.addContacts(id, contactsFrom(1))).toEqual({ kind: 'not_found' });
    expect(await campaigns.update(id, { change: { name: 'x' }, states: ['draft'] })).toEqual({ kind: 'not_found' });
    expect(await beginUpload(uploadContext(), id, { fileName: null })).toEqual({ kind: 'not_found' });
    expect(await campaigns.delete(id)).toEqual({ kind: 'not_found' });
    expect(await auditOf(world.database, id)).toMatchObject([
      {},
      {},
      { action: 'campaign.delete', actor: 'user:kim', data: { account_id: party.accountId, state: 'draft' } },
    ]);
  });

  test('of another account’s campaign finds none', async () => {
    const id = await draft(world, party);
    expect(await campaignsOf(world.database, await world.party()).delete(id)).toEqual({ kind: 'not_found' });
    expect(await campaigns.find(id)).not.toBeNull();
  });

  test('waits for a file that is being received', async () => {
    const id = await draft(world, party);
    const begun = await beginUpload(uploadContext(), id, { fileName: null });
    invariant(begun.kind === 'begun', 'it begins');
    expect(await campaigns.delete(id)).toEqual({ kind: 'upload_in_progress' });
    await begun.upload.finish({ refuseInvalid: false });
    expect(await campaigns.delete(id)).toEqual({ kind: 'deleted' });
  });

  test('makes room for another campaign', async () => {
    const id = await draft(world, party, { contacts: 0 });
    await world.database.side.$executeRaw`
      INSERT INTO campaigns (account_id, state, name, agent_id, columns, created_by)
      SELECT ${party.accountId}::uuid, 'draft', 'x', ${party.agentId}::uuid, '{}', 'test' FROM generate_series(1, 9999)`;
    await expect(draft(world, party, { contacts: 0 })).rejects.toThrow('one more');
    await campaigns.delete(id);
    expect(await draft(world, party, { contacts: 0 })).not.toBeNull();
  });
});

describe('what a deleted campaign leaves', () => {
  test('of a draft is removed in steps of a bound, and then its row', async () => {
    const id = await draft(world, party, { contacts: 0 });
    const begun = await beginUpload(uploadContext(), id, { fileName: null });
    invariant(begun.kind === 'begun', 'it begins');
    const contacts = contactsFrom(700).map((contact, at) => ({ ...contact, line: at + 2 }));
    const problems = Array.from({ length: 50 }, (_, at) => ({ line: 800 + at, column: 'a', value: '', message: 'no' }));
    await begun.upload.add({ contacts, problems, invalid: 50 });
    await begun.upload.finish({ refuseInvalid: false });
    await campaigns.delete(id);
    const step = async () => {
      const [row] = await world.database.side.$queryRaw<{ removed: number }[]>`
        SELECT remove_deleted_campaign(300) AS removed`;
      return row?.removed;
    };
    expect([await step(), await rowsOf(id)]).toEqual([
      301,
      { ...GONE, campaigns: 1, contacts: 400, errors: 50, uploads: 1 },
    ]);
    expect([await step(), await step()]).toEqual([301, 152]);
    expect([await rowsOf(id), await step()]).toEqual([GONE, 0]);
  });

  test('of one that has called is its row alone: its calls and what they cost stay', async () => {
    const { id, callId } = await called();
    expect(await rowsOf(id)).toMatchObject({ contacts: 3, outcomes: 3 });
    await campaigns.delete(id);
    await removeAll();
    expect(await rowsOf(id)).toEqual({ ...GONE, campaigns: 1 });
    const call = await world.database.side.call.findUnique({ where: { id: callId } });
    expect(call).toMatchObject({ campaignId: id, status: 'ended' });
    const { side } = world.database;
    expect(await side.campaignCount.count({ where: { campaignId: id } })).toBeGreaterThan(0);
    expect(await side.campaign.findUnique({ where: { id } })).toMatchObject({ emptiedAt: expect.any(Date) });
  });

  test('waits for the last open call, and keeps nothing else waiting', async () => {
    const { id, callId } = await called({ isOpen: true });
    const other = await draft(world, party);
    await campaigns.delete(id);
    await campaigns.delete(other);
    await removeAll();
    expect([await rowsOf(other), await rowsOf(id)]).toEqual([GONE, expect.objectContaining({ contacts: 3 })]);
    await world.database.side.$executeRaw`
      UPDATE calls SET status = 'ended', ended_reason = 'cancelled', started_at = ended.at, ended_at = ended.at, settled_at = ended.at
      FROM (SELECT clock_timestamp() + interval '1 second' AS at) ended WHERE id = ${callId}::uuid`;
    await removeAll();
    expect(await rowsOf(id)).toEqual({ ...GONE, campaigns: 1 });
  });

  test('that another process removes is left to it', async () => {
    const id = await draft(world, party);
    await campaigns.delete(id);
    await world.database.side.$transaction(async (transaction) => {
      await transaction.$executeRaw`SELECT FROM campaigns WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
      await removeAll();
      expect(await rowsOf(id)).toMatchObject({ contacts: 3 });
    });
    await removeAll();
    expect(await rowsOf(id)).toEqual(GONE);
  });
});
