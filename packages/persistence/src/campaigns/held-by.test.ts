import type { CampaignHold, CampaignId } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { beginTurn, campaignsOf, contactsFrom, running, stateOf, stock, take } from '../../test/campaigns.ts';
import { createWorld, type Party, type World } from '../../test/world.ts';

let world: World;
let party: Party;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  party = await world.party();
});

const HOUR_MS = 3_600_000;
const heldBy = async (id: CampaignId) => (await stateOf(world, party, id)).heldBy;

/** All of its contacts have calls that wait for this. */
async function postponed(waitingFor: 'window' | 'cap', dueAtMs = Date.now() + HOUR_MS): Promise<CampaignId> {
  const id = await running(world, party, { contacts: 2 });
  const turn = await beginTurn(world, party);
  await stock(world, turn, id);
  for (const call of await take(world, turn, id)) await world.schedules.postpone({ ...call, waitingFor, dueAtMs });
  await endTurn(id, null, turn);
  return id;
}

async function endTurn(id: CampaignId, held: CampaignHold | null, turn?: Awaited<ReturnType<typeof beginTurn>>) {
  const note = { campaignId: id, deficit: 0, heldBy: held, notBeforeMs: 0 };
  await world.schedules.endTurn({
    ...(turn ?? (await beginTurn(world, party))),
    notBeforeMs: 0,
    campaignNotes: [note],
  });
}

describe('a campaign whose turns try no call', () => {
  test.each(['window', 'cap'] as const)('is held by `%s` while its next contact waits for it', async (waitingFor) => {
    const id = await postponed(waitingFor);
    expect(await heldBy(id)).toBe(waitingFor);
    const [listed] = (await campaignsOf(world.database, party).page({ after: null, limit: 1 })).campaigns;
    expect(listed).toMatchObject({ id, heldBy: waitingFor });
  });

  test('is held by what a turn has noted before', async () => {
    const id = await postponed('cap');
    await endTurn(id, 'account');
    expect(await heldBy(id)).toBe('account');
  });

  test('is held by nothing once its next call is due, or while contacts have none', async () => {
    expect(await heldBy(await postponed('window', Date.now() - 1_000))).toBeNull();
    const id = await postponed('window');
    await campaignsOf(world.database, party).addContacts(id, contactsFrom(1, 12_025_551_500));
    expect(await heldBy(id)).toBeNull();
  });

  test('is held by nothing while a retry comes next', async () => {
    const id = await postponed('cap');
    const [row] = await world.database.side.$queryRaw<{ callId: string }[]>`
      UPDATE call_schedules SET waiting_for = 'time', due_at = clock_timestamp() + interval '1 minute'
      WHERE call_id = (SELECT call_id FROM call_schedules WHERE campaign_id = ${id}::uuid LIMIT 1) RETURNING call_id AS "callId"`;
    invariant(row, 'it has calls');
    expect(await heldBy(id)).toBeNull();
  });

  test('says nothing of it while it is paused', async () => {
    const id = await postponed('window');
    await campaignsOf(world.database, party).changeState(id, { kind: 'pause' });
    expect(await heldBy(id)).toBeNull();
  });
});

describe('a bound that is lowered', () => {
  test('is that of the next turn, which is due at once', async () => {
    const id = await running(world, party, { contacts: 5, maxConcurrent: 5, budgetMicros: 9_000_000n });
    await endTurn(id, null);
    await world.database.side.$executeRaw`
      UPDATE dial_turns SET due_at = 'infinity', new_due = 'infinity' WHERE account_id = ${party.accountId}::uuid`;
    const change = { maxConcurrent: 1, budgetMicros: 1_000_000n };
    await campaignsOf(world.database, party).update(id, { change, states: ['running'] });
    const [due] = await world.database.side.$queryRaw<{ isDue: boolean }[]>`
      SELECT due_at <= clock_timestamp() + interval '1 millisecond' AS "isDue" FROM dial_turns WHERE account_id = ${party.accountId}::uuid`;
    expect(due).toEqual({ isDue: true });
    const { campaigns } = await beginTurn(world, party);
    expect(campaigns).toMatchObject([{ campaignId: id, maxConcurrent: 1, budgetLeftMicros: 1_000_000n }]);
  });

  test('in a turn is that of the next one, which comes as soon as this one is over', async () => {
    const id = await running(world, party, { contacts: 5 });
    const turn = await beginTurn(world, party);
    await campaignsOf(world.database, party).update(id, { change: { maxConcurrent: 1 }, states: ['running'] });
    const note = { campaignId: id, deficit: 0, heldBy: 'budget' as const, notBeforeMs: 30_000 };
    await world.schedules.endTurn({ ...turn, notBeforeMs: 0, campaignNotes: [note] });
    const [due] = await world.database.side.$queryRaw<{ isDue: boolean }[]>`
      SELECT due_at <= clock_timestamp() + interval '1 millisecond' AS "isDue" FROM dial_turns WHERE account_id = ${party.accountId}::uuid`;
    expect(due).toEqual({ isDue: true });
  });
});
