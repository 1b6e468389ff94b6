import type { CampaignHours, ClaimedCall, Settlement } from '@outdial/calls';
import { micros, type CallId, type CampaignId } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { beginTurn, campaignsOf, RETRY, running, stock, take } from '../../test/campaigns.ts';
import { CLOSED, openDaily, savePolicy } from '../../test/policies.ts';
import { newTrunkName } from '../../test/trunks.ts';
import { claim, createWorld, LEASE_MS, settlementOf, WORKER, type Party, type World } from '../../test/world.ts';
import { createDialAttemptStore } from '../trunks/dial-attempt-store.ts';
import { createCampaignSweepStore } from './sweep-campaigns.ts';

let world: World;
let party: Party;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  party = await world.party();
});

const NEVER: CampaignHours = {
  time_zone: 'Europe/Berlin',
  days: { mon: [], tue: [], wed: [], thu: [], fri: [], sat: [], sun: [] },
};
const WITHDRAWN = { kind: 'refused', reason: 'cancelled' };
const PAUSED = { ...WITHDRAWN, givesBack: true };
const CLOSES = { kind: 'refused', reason: 'outside_calling_window', givesBack: true };

/** A campaign of one contact, whose call is queued. */
async function queued(changes: Parameters<typeof running>[2] = {}): Promise<{ id: CampaignId; callId: CallId }> {
  const id = await running(world, party, { contacts: 1, ...changes });
  const turn = await beginTurn(world, party);
  await stock(world, turn, id);
  return { id, callId: await admitNext(id, turn) };
}

async function admitNext(id: CampaignId, turn: Awaited<ReturnType<typeof beginTurn>>): Promise<CallId> {
  const [taken] = await take(world, turn, id, 1);
  invariant(taken, 'a call is due');
  const { callId, admitToken } = taken;
  const { reservationId, token, holdMicros, rate, place } = await world.row(party);
  const row = { callId, admitToken, reservationId, token, holdMicros, rate, conducted: null, place };
  expect((await world.schedules.admit(row)).kind).toBe('admitted');
  await world.schedules.endTurn({ ...turn, notBeforeMs: 0 });
  return callId;
}

const claimOf = (callId: CallId) =>
  world.drives.claim({ callId, workerId: WORKER, leaseMs: LEASE_MS, writeAheadDial: false });
const reclaim = ({ id: callId, epoch }: ClaimedCall) => world.drives.reclaim({ callId, epoch, leaseMs: LEASE_MS });
const begin = async ({ id: callId, epoch }: ClaimedCall) =>
  createDialAttemptStore(world.database).beginAttempt({
    callId,
    epoch,
    carrier: 'sip',
    trunk: newTrunkName(),
    dialog: { attempt: 1 },
    number: 1,
    token: await world.reconciles.currentToken(),
  });

const steer = (id: CampaignId, kind: 'pause' | 'resume' | 'cancel') =>
  campaignsOf(world.database, party).changeState(id, { kind });
const change = (id: CampaignId, changed: { readonly window?: CampaignHours; readonly endsAtMs?: number }) =>
  campaignsOf(world.database, party).update(id, { change: changed, states: ['running'] });
const setEnabled = (enabled: boolean) =>
  world.database.side.$executeRaw`UPDATE accounts SET enabled = ${enabled} WHERE id = ${party.accountId}::uuid`;

interface Attempt {
  readonly attempt: number;
  readonly givenBack: number;
  readonly status: string;
  readonly reason: string | null;
  /** After the end of the one before. */
  readonly dueInSeconds: number | null;
}

/** Of the only contact. */
const attemptsOf = (id: CampaignId) => world.database.side.$queryRaw<Attempt[]>`
  SELECT s.attempt, s.given_back AS "givenBack", c.status::text, c.ended_reason::text AS reason,
    EXTRACT(epoch FROM s.due_at - b.ended_at)::int AS "dueInSeconds"
  FROM call_schedules s JOIN calls c ON c.id = s.call_id LEFT JOIN calls b ON b.id = s.retry_of WHERE s.campaign_id = ${id}::uuid ORDER BY s.attempt`;

const giveBack = (callId: CallId) =>
  world.drives.endQueued({ callIds: [callId], reason: 'cancelled', givesBack: true });

/** Its driver ends the call of a paused campaign. */
const settled = async (changes: Partial<Settlement>) => {
  const { id, callId } = await queued();
  const call = await claim(world.drives, callId);
  await steer(id, 'pause');
  const charge = { billableSeconds: 0, costMicros: micros(0) };
  const settlement = { ...settlementOf(call, { reason: 'cancelled' }), charge, answeredAtMs: null, givesBack: true };
  await world.drives.settle({ ...settlement, ...changes });
  return attemptsOf(id);
};

describe('a queued call of a campaign', () => {
  test('is not dialed once it is paused', async () => {
    const { id, callId } = await queued();
    await steer(id, 'pause');
    expect(await claimOf(callId)).toEqual(PAUSED);
  });

  test('is not dialed once its own hours are closed', async () => {
    const { id, callId } = await queued();
    await change(id, { window: NEVER });
    expect(await claimOf(callId)).toEqual(CLOSES);
  });

  test('is not dialed once it is cancelled, and its contact is not called again', async () => {
    const { id, callId } = await queued();
    await steer(id, 'cancel');
    expect(await claimOf(callId)).toEqual(WITHDRAWN);
  });

  test('is not dialed after its end, which came forward', async () => {
    const { id, callId } = await queued();
    await change(id, { endsAtMs: Date.now() - 1_000 });
    expect(await claimOf(callId)).toEqual({ kind: 'refused', reason: 'queue_expired' });
  });

  test('is dialed in its hours', async () => {
    const days = openDaily('00:00-24:00').windows?.['default'];
    invariant(days, 'they are open daily');
    const { callId } = await queued({ window: { time_zone: 'Europe/Berlin', days } });
    expect((await claim(world.drives, callId)).id).toBe(callId);
  });

  test('leaves its contact to the campaign where the calling policy closes, or the account is disabled', async () => {
    const [closed, disabled] = [await queued(), await queued()];
    await savePolicy(world.database, party.accountId, CLOSED);
    expect(await claimOf(closed.callId)).toEqual(CLOSES);
    await setEnabled(false);
    expect(await claimOf(disabled.callId)).toEqual(PAUSED);
  });

  test('whose end was asked for leaves nothing to the campaign', async () => {
    const { id, callId } = await queued();
    await steer(id, 'pause');
    await world.database.side
      .$executeRaw`UPDATE calls SET end_requested_at = clock_timestamp() WHERE id = ${callId}::uuid`;
    expect(await claimOf(callId)).toEqual(WITHDRAWN);
  });
});

describe('a claimed call of a campaign that is paused', () => {
  test('begins no attempt, and is refused when it asks why', async () => {
    const { id, callId } = await queued();
    const call = await claim(world.drives, callId);
    await steer(id, 'pause');
    expect(await begin(call)).toMatchObject({ kind: 'paused' });
    expect(await reclaim(call)).toEqual(PAUSED);
  });

  test('begins attempts again once it goes on', async () => {
    const { id, callId } = await queued();
    const call = await claim(world.drives, callId);
    await steer(id, 'pause');
    await steer(id, 'resume');
    expect(await reclaim(call)).toEqual({ kind: 'claimed' });
    expect(await begin(call)).toMatchObject({ kind: 'written' });
  });
});

describe('a call that is returned', () => {
  test('ends at no cost, and its contact has another call at once', async () => {
    const { id, callId } = await queued();
    await steer(id, 'pause');
    expect(await giveBack(callId)).toHaveLength(1);
    expect(await attemptsOf(id)).toMatchObject([
      { attempt: 1, status: 'ended', reason: 'cancelled' },
      { attempt: 2, givenBack: 1, status: 'scheduled', dueInSeconds: 0 },
    ]);
    await steer(id, 'resume');
    expect(await admitNext(id, await beginTurn(world, party))).not.toBe(callId);
  });

  test('outside the hours is due after a minute', async () => {
    const { id, callId } = await queued();
    await world.drives.endQueued({ callIds: [callId], reason: 'outside_calling_window', givesBack: true });
    expect(await attemptsOf(id)).toMatchObject([{}, { attempt: 2, givenBack: 1, dueInSeconds: 60 }]);
  });

  test('is none of the attempts that were asked for', async () => {
    const retry = { ...RETRY, max_attempts: 2, after_seconds: [60, 600] };
    const { id, callId } = await queued({ retry });
    await giveBack(callId);
    const second = await claim(world.drives, await admitNext(id, await beginTurn(world, party)));
    await world.drives.settle(settlementOf(second, { reason: 'busy' }));
    const [, , third] = await attemptsOf(id);
    expect(third).toMatchObject({ attempt: 3, givenBack: 1, status: 'scheduled', dueInSeconds: 60 });
    await world.database.side.$executeRaw`
      UPDATE call_schedules SET due_at = clock_timestamp(), scheduled_for = clock_timestamp() WHERE campaign_id = ${id}::uuid AND is_waiting`;
    const last = await claim(world.drives, await admitNext(id, await beginTurn(world, party)));
    await world.drives.settle(settlementOf(last, { reason: 'busy' }));
    expect(await attemptsOf(id)).toHaveLength(3);
  });

  test('of a campaign that was cancelled before it ended has no successor', async () => {
    const { id, callId } = await queued();
    await steer(id, 'cancel');
    await giveBack(callId);
    expect(await attemptsOf(id)).toHaveLength(1);
    const moved = await createCampaignSweepStore(world.database).move({ limit: 10 });
    expect(moved).toContainEqual({ campaignId: id, accountId: party.accountId, state: 'cancelled' });
  });

  test('by its driver has another one, unless something was sent', async () => {
    expect(await settled({ neverDialled: true })).toHaveLength(2);
    expect(await settled({ neverDialled: false })).toHaveLength(1);
  });

  test('counts, and leaves its contact undone', async () => {
    const { id, callId } = await queued();
    await giveBack(callId);
    const record = await campaignsOf(world.database, party).find(id);
    expect(record?.byReason).toMatchObject([{ reason: 'cancelled', isFinal: false, calls: 1 }]);
  });
});
