import type { CampaignLane, ClaimedCall, TakenCall, Turn } from '@outdial/calls';
import type { CampaignId } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  beginTurn,
  campaignsOf,
  contactsFrom,
  draft,
  RETRY,
  running,
  stateOf,
  stock,
  take,
} from '../../test/campaigns.ts';
import { claim, createWorld, settlementOf, type Party, type World } from '../../test/world.ts';
import { createCampaignSweepStore } from './sweep-campaigns.ts';

let world: World;
let party: Party;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  // A sweep finds the campaigns of the test before.
  await world.database.side.$executeRaw`DELETE FROM call_schedules`;
  await world.database.side.$executeRaw`
    UPDATE campaigns SET state = 'cancelled', ended_at = clock_timestamp() WHERE ended_at IS NULL`;
  party = await world.party();
});

const steer = (id: CampaignId, kind: 'pause' | 'resume' | 'cancel') =>
  campaignsOf(world.database, party).changeState(id, { kind });
const sweep = () => createCampaignSweepStore(world.database);

async function admit({ callId, admitToken }: TakenCall) {
  const { reservationId, token, holdMicros, rate, place } = await world.row(party);
  return world.schedules.admit({ callId, admitToken, reservationId, token, holdMicros, rate, conducted: null, place });
}

const laneOf = ({ campaigns }: Turn, id: CampaignId): CampaignLane => {
  const lane = campaigns.find(({ campaignId }) => campaignId === id);
  invariant(lane, 'the turn has the campaign');
  return lane;
};

/** Stocks and admits up to so many calls in one turn. */
async function admitSome(id: CampaignId, limit = 100) {
  const turn = await beginTurn(world, party);
  await stock(world, turn, id, limit);
  const taken = await take(world, turn, id, limit);
  const outcomes = await Promise.all(taken.map(admit));
  await world.schedules.endTurn({ ...turn, notBeforeMs: 0 });
  return taken.filter((_, at) => outcomes[at]?.kind === 'admitted');
}

const settle = (call: ClaimedCall, reason: 'busy' | 'callee_hangup') =>
  world.drives.settle(settlementOf(call, { reason }));

async function end({ callId }: Pick<TakenCall, 'callId'>, reason: 'busy' | 'callee_hangup' = 'callee_hangup') {
  await settle(await claim(world.drives, callId), reason);
}

const callsOf = (id: CampaignId) =>
  world.database.side.$queryRaw<{ upload: number; line: number; attempt: number; status: string }[]>`
    SELECT s.contact_upload AS upload, s.contact_line AS line, s.attempt, c.status
    FROM call_schedules s JOIN calls c ON c.id = s.call_id WHERE s.campaign_id = ${id}::uuid
    ORDER BY s.contact_upload, s.contact_line, s.attempt`;

describe('stock', () => {
  test('passes each contact once, in the order of uploads, whatever is repeated', async () => {
    const id = await running(world, party, { contacts: 5 });
    await campaignsOf(world.database, party).addContacts(id, contactsFrom(3, 12_025_559_000));
    const turn = await beginTurn(world, party);
    expect(await stock(world, turn, id, 4)).toBe(4);
    const both = await Promise.all([stock(world, turn, id, 3), stock(world, turn, id, 3)]);
    expect(both.toSorted()).toEqual([1, 3]);
    expect(await stock(world, turn, id)).toBe(0);
    expect((await callsOf(id)).map(({ upload, line }) => `${upload}.${line}`)).toEqual([
      '1.1',
      '1.2',
      '1.3',
      '1.4',
      '1.5',
      '2.1',
      '2.2',
      '2.3',
    ]);
    expect(await stateOf(world, party, id)).toMatchObject({ contacts: 8, passed: 8 });
  });

  test('after the cursor was lost makes the same calls again, and no second one', async () => {
    const id = await running(world, party);
    const turn = await beginTurn(world, party);
    await stock(world, turn, id);
    const before = await callsOf(id);
    await world.database.side.$executeRaw`
      UPDATE campaign_lanes SET cursor_upload = 0, cursor_line = 0, passed = 0 WHERE campaign_id = ${id}::uuid`;
    expect(await stock(world, turn, id)).toBe(0);
    expect(await callsOf(id)).toEqual(before);
    expect(await stateOf(world, party, id)).toMatchObject({ passed: 3 });
  });

  test('does nothing for a turn that is over, nor for a campaign that does not run or whose end has come', async () => {
    const id = await running(world, party);
    const stale = await beginTurn(world, party);
    const turn = await beginTurn(world, party);
    expect(await stock(world, stale, id)).toBe(0);
    await steer(id, 'pause');
    expect(await stock(world, turn, id)).toBe(0);
    await steer(id, 'resume');
    await world.database.side.$executeRaw`UPDATE campaigns SET ends_at = clock_timestamp() WHERE id = ${id}::uuid`;
    expect(await stock(world, turn, id)).toBe(0);
    expect(await callsOf(id)).toEqual([]);
  });

  test('passes contacts of ready uploads alone', async () => {
    const id = await running(world, party);
    await world.database.side.$executeRaw`
      INSERT INTO campaign_uploads (campaign_id, number, state, accepted) VALUES (${id}::uuid, 2, 'receiving', 1)`;
    await world.database.side.$executeRaw`
      INSERT INTO campaign_contacts (campaign_id, upload, line, number) VALUES (${id}::uuid, 2, 1, 12025559999)`;
    const turn = await beginTurn(world, party);
    expect(laneOf(turn, id).contactsLeft).toBe(3);
    expect(await stock(world, turn, id)).toBe(3);
  });
});

describe('an admission', () => {
  test.each(['pause', 'cancel'] as const)('of a call that was taken before a %s is refused', async (kind) => {
    const id = await running(world, party);
    const turn = await beginTurn(world, party);
    await stock(world, turn, id);
    const [taken] = await take(world, turn, id);
    invariant(taken, 'a call is due');
    await steer(id, kind);
    expect(await admit(taken)).toEqual({ kind: 'gone' });
    expect(await take(world, turn, id)).toEqual([]);
  });

  test('of a call that was taken before the campaign’s end is refused', async () => {
    const id = await running(world, party);
    const turn = await beginTurn(world, party);
    await stock(world, turn, id);
    const [taken] = await take(world, turn, id);
    invariant(taken, 'a call is due');
    await world.database.side.$executeRaw`UPDATE campaigns SET ends_at = clock_timestamp() WHERE id = ${id}::uuid`;
    expect(await admit(taken)).toEqual({ kind: 'gone' });
  });
});

describe('a turn of two workers', () => {
  test('counts what the other took and may still admit', async () => {
    const id = await running(world, party, { contacts: 10, maxConcurrent: 4 });
    const first = await beginTurn(world, party);
    await stock(world, first, id);
    const taken = await take(world, first, id, 3);
    const [one] = taken;
    invariant(one, 'a call is due');
    expect((await admit(one)).kind).toBe('admitted');
    const second = await beginTurn(world, party);
    expect(second).toMatchObject({ freeSlots: 7, campaignSlots: 5 });
    const counts = { openCalls: 1, queuedCalls: 1, admittingCalls: 2, dueCalls: 7, maxConcurrent: 4 };
    // Without a pace, any number of calls may begin.
    expect(laneOf(second, id)).toMatchObject({ ...counts, paceCalls: null, callsPerSecond: null });
    expect(await take(world, first, id)).toEqual([]);
  });

  test('together they take no more than the pace allows', async () => {
    const id = await running(world, party, { contacts: 30, callsPerSecond: 0.001 });
    await world.database.side.$executeRaw`
      UPDATE campaign_lanes SET pace_tokens = 1, pace_at = clock_timestamp() WHERE campaign_id = ${id}::uuid`;
    const turn = await beginTurn(world, party);
    await stock(world, turn, id);
    const both = await Promise.all([take(world, turn, id, 5), take(world, turn, id, 5)]);
    expect(both.flat()).toHaveLength(1);
    expect(laneOf(await beginTurn(world, party), id)).toMatchObject({ paceCalls: 0 });
  });

  test('without a pace no number of calls is bounded by one', async () => {
    const id = await running(world, party, { contacts: 30 });
    expect(laneOf(await beginTurn(world, party), id)).toMatchObject({ paceCalls: null, contactsLeft: 30 });
  });

  test('single calls have one lane, and each campaign has another', async () => {
    const id = await running(world, party);
    const { id: single } = await world.scheduled(party);
    const turn = await beginTurn(world, party);
    await stock(world, turn, id);
    const ofAccount = await world.schedules.takeDue({ accountId: party.accountId, epoch: turn.epoch, limit: 10 });
    expect(ofAccount.map(({ callId }) => callId)).toEqual([single]);
    expect(await take(world, turn, id)).toHaveLength(3);
  });
});

describe('counts', () => {
  test('equal a recount of the calls, with retries and ends of both kinds', async () => {
    const id = await running(world, party, { contacts: 6, retry: RETRY });
    const admitted = await admitSome(id);
    expect(admitted).toHaveLength(6);
    await Promise.all(admitted.map((call, at) => end(call, at % 2 === 0 ? 'busy' : 'callee_hangup')));
    const campaign = await stateOf(world, party, id);
    expect(campaign.byReason).toMatchObject([
      { reason: 'callee_hangup', isFinal: true, calls: 3 },
      { reason: 'busy', isFinal: false, calls: 3 },
    ]);
    const recount = await world.database.side.$queryRaw`
      SELECT c.ended_reason AS reason, n.call_id IS NULL AS "isFinal", count(*)::int AS calls,
        count(c.answered_at)::int AS answered, sum(c.cost_micros)::int AS "costMicros"
      FROM calls c LEFT JOIN call_schedules n ON n.retry_of = c.id
      WHERE c.campaign_id = ${id}::uuid AND c.ended_at IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2`;
    expect(campaign.byReason).toEqual(recount);
    expect((await callsOf(id)).filter(({ attempt }) => attempt === 2)).toHaveLength(3);
  });
});

describe('completion', () => {
  test('comes with the last call, and not before', async () => {
    const id = await running(world, party, { contacts: 1 });
    expect(await sweep().move({ limit: 100 })).toEqual([]);
    const [call] = await admitSome(id);
    invariant(call, 'a call is admitted');
    expect(await sweep().move({ limit: 100 })).toEqual([]);
    await end(call);
    expect(await sweep().move({ limit: 100 })).toEqual([
      { campaignId: id, accountId: party.accountId, state: 'completed' },
    ]);
    expect(await stateOf(world, party, id)).toMatchObject({ state: 'completed', endedAtMs: expect.any(Number) });
  });

  test('and an upload that becomes ready at once: the contacts are called, or refused', async () => {
    const id = await running(world, party, { contacts: 1 });
    const [call] = await admitSome(id);
    invariant(call, 'a call is admitted');
    await end(call);
    const { side } = world.database;
    const { added, moved } = await side.$transaction(
      async (transaction) => {
        await transaction.$queryRaw`SELECT FROM campaigns WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
        const adding = campaignsOf(world.database, party).addContacts(id, contactsFrom(1, 12_025_559_000));
        await expect.poll(() => waitingFor('add_campaign_contacts')).toBe(1);
        return { added: adding, moved: sweep().move({ limit: 100 }) };
      },
      { timeout: 60_000 },
    );
    const outcome = await added;
    await moved;
    await sweep().move({ limit: 100 });
    const { state } = await stateOf(world, party, id);
    expect([outcome.kind, state]).toEqual(
      outcome.kind === 'added' ? ['added', 'running'] : ['campaign_state', 'completed'],
    );
  });

  test('at its end: what is scheduled ends `schedule_expired`, open calls go on, the rest is not dialed', async () => {
    const id = await running(world, party, { contacts: 5, endsAtMs: Date.now() + 3_600_000 });
    const [open] = await admitSome(id, 1);
    invariant(open, 'a call is admitted');
    const dialed = await claim(world.drives, open.callId);
    await stock(world, await beginTurn(world, party), id, 2);
    await world.database.side.$executeRaw`UPDATE campaigns SET ends_at = clock_timestamp() WHERE id = ${id}::uuid`;
    expect(await sweep().endOver({ limit: 500 })).toEqual(['schedule_expired', 'schedule_expired']);
    expect(await sweep().move({ limit: 100 })).toEqual([]);
    await settle(dialed, 'busy');
    await sweep().endOver({ limit: 500 });
    expect(await sweep().move({ limit: 100 })).toMatchObject([{ campaignId: id, state: 'completed' }]);
    expect(await stateOf(world, party, id)).toMatchObject({ contacts: 5, passed: 3 });
  });
});

describe('a cancellation', () => {
  test('ends what is scheduled, also a retry that a settlement inserts at the same time', async () => {
    const id = await running(world, party, { contacts: 3, retry: RETRY });
    const [open, other] = await admitSome(id, 2);
    invariant(open && other, 'two calls are admitted');
    await stock(world, await beginTurn(world, party), id);
    await end(other, 'busy');
    const dialed = await claim(world.drives, open.callId);
    await steer(id, 'cancel');
    expect(await sweep().move({ limit: 100 })).toEqual([]);
    expect((await sweep().endOver({ limit: 500 })).toSorted()).toEqual(['cancelled', 'cancelled']);
    expect(await sweep().move({ limit: 100 })).toMatchObject([{ campaignId: id, state: 'cancelled' }]);
    await settle(dialed, 'busy');
    expect((await callsOf(id)).filter(({ status }) => status === 'scheduled')).toEqual([]);
    // As a settlement leaves it whose snapshot is older than the cancellation.
    await world.database.side
      .$executeRaw`UPDATE campaigns SET state = 'running', ended_at = NULL WHERE id = ${id}::uuid`;
    const [late] = await admitLate(id);
    invariant(late, 'a call is admitted');
    await end(late, 'busy');
    await world.database.side.$executeRaw`
      UPDATE campaigns SET state = 'cancelled', ended_at = clock_timestamp() WHERE id = ${id}::uuid`;
    expect(await sweep().endOver({ limit: 500 })).toEqual(['cancelled']);
  });

  test('of a draft takes effect with the next sweep', async () => {
    const id = await draft(world, party);
    await steer(id, 'cancel');
    expect(await sweep().move({ limit: 100 })).toMatchObject([{ campaignId: id, state: 'cancelled' }]);
  });
});

describe('a budget', () => {
  test('that is used up pauses the campaign with a notice, once nothing of it is open', async () => {
    const id = await running(world, party, { contacts: 2, budgetMicros: 1n });
    const [open] = await admitSome(id, 1);
    invariant(open, 'a call is admitted');
    const turn = await beginTurn(world, party);
    await world.schedules.endTurn({
      ...turn,
      notBeforeMs: 0,
      campaignNotes: [{ campaignId: id, deficit: 0, heldBy: 'budget', notBeforeMs: 30_000 }],
    });
    expect(await sweep().move({ limit: 100 })).toEqual([]);
    await end(open);
    expect(await sweep().move({ limit: 100 })).toMatchObject([{ campaignId: id, state: 'paused' }]);
    expect(await noticesOf(id)).toEqual(['campaign_budget']);
    const campaigns = campaignsOf(world.database, party);
    await campaigns.update(id, { change: { budgetMicros: 9_000_000n }, states: ['paused'] });
    expect(await steer(id, 'resume')).toEqual({ kind: 'changed', state: 'running' });
    expect(await sweep().move({ limit: 100 })).toEqual([]);
  });

  test('that is used up again and again writes no more than twenty notices a day', async () => {
    const id = await running(world, party, { contacts: 2, budgetMicros: 1n });
    await world.database.side.$executeRaw`
      INSERT INTO account_notices (account_id, kind, data)
      SELECT ${party.accountId}::uuid, 'campaign_budget', jsonb_build_object('campaign_id', ${id}::text, 'name', 'Autumn')
      FROM generate_series(1, 19)`;
    for (let time = 0; time < 3; time += 1) {
      const held = { campaignId: id, deficit: 0, heldBy: 'budget' as const, notBeforeMs: 30_000 };
      await world.schedules.endTurn({ ...(await beginTurn(world, party)), notBeforeMs: 0, campaignNotes: [held] });
      expect(await sweep().move({ limit: 100 })).toMatchObject([{ campaignId: id, state: 'paused' }]);
      await steer(id, 'resume');
    }
    expect(await noticesOf(id)).toHaveLength(20);
  });
});

describe('measuring', () => {
  test('counts what ended in the last minute, gives a rate from the second measure on, and reports a long wait for funds once', async () => {
    const id = await running(world, party, { contacts: 4 });
    const calls = await admitSome(id);
    await Promise.all(calls.slice(0, 2).map((call) => end(call)));
    const minuteLater = () => world.database.side.$executeRaw`
      UPDATE campaign_lanes SET measured_at = clock_timestamp() - interval '1 minute' WHERE campaign_id = ${id}::uuid`;
    expect(await sweep().measure({ limit: 100 })).toBe(0);
    await minuteLater();
    expect(await sweep().measure({ limit: 100 })).toBe(1);
    expect(await stateOf(world, party, id)).toMatchObject({ callsLastMinute: 2, callsPerMinute: null });
    await Promise.all(calls.slice(2).map((call) => end(call)));
    await minuteLater();
    await sweep().measure({ limit: 100 });
    const measured = await stateOf(world, party, id);
    expect(measured.callsLastMinute).toBe(2);
    // Two in the minute and what the machine took besides.
    expect(measured.callsPerMinute).toBeGreaterThan(1);
    expect(measured.callsPerMinute).toBeLessThanOrEqual(2);
    await world.database.side.$executeRaw`
      UPDATE campaign_lanes SET held_by = 'funds', held_since = clock_timestamp() - interval '11 minutes'
      WHERE campaign_id = ${id}::uuid`;
    await sweep().measure({ limit: 100 });
    await sweep().measure({ limit: 100 });
    expect(await noticesOf(id)).toEqual(['campaign_funds']);
  });
});

describe('a new end of a running campaign', () => {
  test('is that of its scheduled calls, none of which is changed, and of those that are queued later', async () => {
    const id = await running(world, party, { endsAtMs: Date.now() + 60_000 });
    await stock(world, await beginTurn(world, party), id);
    const rows = () => world.database.side.$queryRaw`
      SELECT s.*, c.expires_at FROM call_schedules s JOIN calls c ON c.id = s.call_id
      WHERE s.campaign_id = ${id}::uuid ORDER BY s.call_id`;
    const before = await rows();
    const endsAtMs = Date.now() + 300_000;
    await campaignsOf(world.database, party).update(id, { change: { endsAtMs }, states: ['running'] });
    expect(await rows()).toEqual(before);
    const [taken] = await take(world, await beginTurn(world, party), id, 1);
    invariant(taken, 'a call is due');
    expect(taken.giveUpAtMs).toBe(endsAtMs);
    const [scheduled] = await world.reader.list({ ...party, filter: { status: 'scheduled' }, after: null, limit: 1 });
    expect(scheduled?.schedule?.giveUpAtMs).toBe(endsAtMs);
    expect(await admit(taken)).toMatchObject({ kind: 'admitted' });
    const queued = await world.reader.find(party.accountId, taken.callId);
    expect(queued).toMatchObject({ status: 'queued', expiresAtMs: endsAtMs });
  });

  test('lets no retry begin after it', async () => {
    const id = await running(world, party, { contacts: 2, retry: RETRY });
    const [early, late] = await admitSome(id);
    invariant(early && late, 'two calls are admitted');
    const endAt = async (endsAtMs: number) =>
      campaignsOf(world.database, party).update(id, { change: { endsAtMs }, states: ['running'] });
    await endAt(Date.now() + 30_000);
    await end(early, 'busy');
    await endAt(Date.now() + 600_000);
    await end(late, 'busy');
    const retried = await world.database.side.$queryRaw`
      SELECT retry_of FROM call_schedules WHERE campaign_id = ${id}::uuid AND attempt = 2`;
    expect(retried).toEqual([{ retry_of: late.callId }]);
  });

  test('completes also a paused campaign, once nothing of it is open; one without an end stays paused', async () => {
    const endsAtMs = Date.now() + 3_600_000;
    const [over, other] = [await running(world, party, { endsAtMs }), await running(world, party)];
    const [open] = await admitSome(over, 1);
    invariant(open, 'a call is admitted');
    const dialed = await claim(world.drives, open.callId);
    for (const id of [over, other]) await steer(id, 'pause');
    await world.database.side.$executeRaw`UPDATE campaigns SET ends_at = clock_timestamp() WHERE id = ${over}::uuid`;
    await sweep().endOver({ limit: 500 });
    expect(await sweep().move({ limit: 100 })).toEqual([]);
    await settle(dialed, 'callee_hangup');
    expect(await sweep().move({ limit: 100 })).toMatchObject([{ campaignId: over, state: 'completed' }]);
    expect((await stateOf(world, party, other)).state).toBe('paused');
    expect(await noticesOf(over)).toEqual(['campaign_completed']);
  });
});

test('campaigns may use a slot, however few their percent is of', async () => {
  await world.database.side.$executeRaw`
    UPDATE accounts SET capacity = 1, campaign_percent = 1 WHERE id = ${party.accountId}::uuid`;
  const id = await running(world, party);
  expect(await beginTurn(world, party)).toMatchObject({ freeSlots: 1, campaignSlots: 1 });
  expect(await admitSome(id, 1)).toHaveLength(1);
  expect(await beginTurn(world, party)).toMatchObject({ freeSlots: 0, campaignSlots: 0 });
});

test('open calls that a cancellation was to end are found until each was asked, also after a crash', async () => {
  const id = await running(world, party);
  const [open] = await admitSome(id);
  invariant(open, 'calls are admitted');
  await claim(world.drives, open.callId);
  await campaignsOf(world.database, party).changeState(id, { kind: 'cancel', hangUp: true });
  const left = async () => (await sweep().toHangUp({ limit: 500 })).map(({ callId }) => callId);
  expect(await left()).toHaveLength(3);
  const [first] = await sweep().toHangUp({ limit: 1 });
  expect(first).toMatchObject({ accountId: party.accountId });
  for (const callId of await left()) await world.ends.requestEnd({ accountId: party.accountId, callId });
  expect(await left()).toEqual([]);
  const [flag] = await world.database.side.$queryRaw<unknown[]>`SELECT hang_up FROM campaigns WHERE id = ${id}::uuid`;
  expect(flag).toEqual({ hang_up: false });
});

test('a cancellation that leaves open calls alone asks none of them to end', async () => {
  const id = await running(world, party);
  await admitSome(id);
  await steer(id, 'cancel');
  expect(await sweep().toHangUp({ limit: 500 })).toEqual([]);
});

async function admitLate(id: CampaignId) {
  await campaignsOf(world.database, party).addContacts(id, contactsFrom(1, 12_025_559_000));
  return admitSome(id);
}

async function noticesOf(id: CampaignId): Promise<readonly string[]> {
  const rows = await world.database.side.$queryRaw<{ kind: string }[]>`
    SELECT kind FROM account_notices WHERE data ->> 'campaign_id' = ${id} ORDER BY created_at`;
  return rows.map(({ kind }) => kind);
}

async function waitingFor(text: string): Promise<number> {
  const [row] = await world.database.side.$queryRaw<{ waiting: number }[]>`
    SELECT count(*)::int AS waiting FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE ${`%${text}%`}`;
  return row?.waiting ?? 0;
}
