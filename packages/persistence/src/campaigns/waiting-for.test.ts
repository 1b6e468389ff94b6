import type { WaitingFor } from '@outdial/contracts';
import type { CampaignHold, CampaignId } from '@outdial/contracts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { beginTurn, campaignsOf, running, stock } from '../../test/campaigns.ts';
import { createWorld, type Party, type World } from '../../test/world.ts';
import { createSystemReader } from '../read/system-reader.ts';

let world: World;
let party: Party;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  party = await world.party();
});

async function stocked(changes: Parameters<typeof running>[2] = {}): Promise<CampaignId> {
  const id = await running(world, party, { contacts: 1, ...changes });
  await stock(world, await beginTurn(world, party), id);
  return id;
}

async function waits(): Promise<WaitingFor | null> {
  const [call] = await world.reader.list({ ...party, filter: {}, after: null, limit: 1 });
  if (call?.status !== 'scheduled') throw new Error('a call of the campaign is scheduled');
  return call.waitingFor;
}

async function hold(id: CampaignId, heldBy: CampaignHold | null): Promise<void> {
  const turn = await beginTurn(world, party);
  const note = { campaignId: id, deficit: 0, heldBy, notBeforeMs: 0 };
  await world.schedules.endTurn({ ...turn, notBeforeMs: 0, campaignNotes: [note] });
}

test.each<[CampaignHold | null, WaitingFor]>([
  ['funds', 'funds'],
  ['capacity', 'capacity'],
  ['window', 'window'],
  ['cap', 'cap'],
  ['provider', 'provider'],
  ['budget', 'campaign'],
  ['account', 'campaign'],
  [null, 'capacity'],
])('a due call of a campaign that is held by %s waits for %s', async (heldBy, expected) => {
  const id = await stocked();
  await hold(id, heldBy);
  expect(await waits()).toBe(expected);
});

test('a due call of a paused campaign waits for it, and for what it did before once it goes on', async () => {
  const id = await stocked();
  await hold(id, 'funds');
  await campaignsOf(world.database, party).changeState(id, { kind: 'pause' });
  expect(await waits()).toBe('campaign');
  await campaignsOf(world.database, party).changeState(id, { kind: 'resume' });
  expect(await waits()).toBe('capacity');
});

test('a due call waits for the pace of its campaign until there is a token', async () => {
  const id = await stocked({ callsPerSecond: 0.001 });
  const tokens = (count: number) => world.database.side.$executeRaw`
    UPDATE campaign_lanes SET pace_tokens = ${count}::int, pace_at = clock_timestamp() WHERE campaign_id = ${id}::uuid`;
  await tokens(0);
  expect(await waits()).toBe('pace');
  await tokens(1);
  expect(await waits()).toBe('capacity');
});

test('a retry waits for its time, also while its campaign is paused', async () => {
  const id = await stocked();
  await world.database.side.$executeRaw`
    UPDATE call_schedules SET waiting_for = 'time', scheduled_for = now() + interval '1 hour', due_at = now() + interval '1 hour'
    WHERE campaign_id = ${id}::uuid`;
  await campaignsOf(world.database, party).changeState(id, { kind: 'pause' });
  expect(await waits()).toBe('time');
});

test('operators see how many calls wait for each, once', async () => {
  await world.database.side.$executeRaw`DELETE FROM call_schedules`;
  const paused = await running(world, party, { contacts: 3 });
  const held = await running(world, party, { contacts: 2 });
  const turn = await beginTurn(world, party);
  for (const id of [paused, held]) await stock(world, turn, id);
  await hold(held, 'provider');
  await campaignsOf(world.database, party).changeState(paused, { kind: 'pause' });
  const { scheduledCalls } = await createSystemReader(world.database).read();
  expect(scheduledCalls.toSorted((a, b) => b.calls - a.calls)).toEqual([
    { waitingFor: 'campaign', calls: 3 },
    { waitingFor: 'provider', calls: 2 },
  ]);
});
