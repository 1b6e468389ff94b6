import type { Call, RetryPlan } from '@outdial/calls';
import { micros, type CallId } from '@outdial/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createWorld, settlementOf, type Party, type World } from '../../test/world.ts';

let world: World;
let party: Party;
beforeAll(async () => {
  world = await createWorld();
});
beforeEach(async () => {
  party = await world.party();
});
afterAll(() => world.close());

const HOUR_MS = 3_600_000;
const BUSY: RetryPlan = { maxAttempts: 3, on: ['busy', 'no_answer'], afterSeconds: [60, 300] };

const retried = (retry: RetryPlan = BUSY, withinMs = HOUR_MS) => ({
  schedule: { scheduledForMs: null, giveUpAtMs: Date.now() + withinMs, retry },
});

const callsOf = async ({ accountId }: Party): Promise<readonly Call[]> =>
  (await world.reader.list({ accountId, filter: {}, after: null, limit: 100 })).toReversed();

async function find(callId: CallId): Promise<Call> {
  const call = await world.reader.find(party.accountId, callId);
  if (!call) throw new Error('there is no such call');
  return call;
}

/** Brings a scheduled call to its end: due at once, admitted, claimed and settled. */
async function end(callId: CallId, reason: 'busy' | 'no_answer' | 'declined') {
  const { side } = world.database;
  await side.$executeRaw`UPDATE call_schedules SET due_at = clock_timestamp() - interval '1 second' WHERE call_id = ${callId}::uuid`;
  await side.$executeRaw`UPDATE dial_turns SET due_at = clock_timestamp() - interval '1 second' WHERE account_id = ${party.accountId}::uuid`;
  const turns = await world.schedules.beginTurns({ workerId: 'w', limit: 1_000 });
  const turn = turns.find(({ accountId }) => accountId === party.accountId);
  const [taken] = await world.schedules.takeDue({ accountId: party.accountId, epoch: turn?.epoch ?? -1, limit: 1 });
  if (taken?.callId !== callId) throw new Error('the call was not taken');
  const { reservationId, token, holdMicros, rate, place } = await world.row(party);
  const { admitToken } = taken;
  await world.schedules.admit({ callId, admitToken, reservationId, token, holdMicros, rate, conducted: null, place });
  await world.schedules.endTurn({ accountId: party.accountId, epoch: turn?.epoch ?? -1, notBeforeMs: 0 });
  const claim = await world.drives.claim({ callId, workerId: 'w', leaseMs: 60_000, writeAheadDial: false });
  if (claim.kind !== 'claimed') throw new Error(`the call was not claimed: ${claim.kind}`);
  await world.drives.settle(settlementOf(claim.call, { reason }));
}

describe('the statement that settles a call', () => {
  test('schedules its retry, a copy that holds nothing, and names it in the event of the end', async () => {
    const idempotency = { key: 'order-1', bodyDigest: 'ab'.repeat(32) };
    const first = await world.claimed(party, { ...retried(), idempotency, webhookUrl: 'https://example.com/' });
    await world.drives.settle(settlementOf(first, { reason: 'busy' }));
    const [ended, next, ...others] = await callsOf(party);
    expect(others).toEqual([]);
    if (ended?.status !== 'ended' || next?.status !== 'scheduled') throw new Error('other statuses');
    const { agentId, agentVersion, callerNumber, calleeNumber, limits, variables, metadata, webhookUrl } = ended;
    expect(next).toMatchObject({
      agentId,
      agentVersion,
      callerNumber,
      calleeNumber,
      limits,
      variables,
      metadata,
      webhookUrl,
      holdMicros: micros(0),
      waitingFor: 'time',
      schedule: {
        attempt: 2,
        retryOf: ended.id,
        nextCallId: null,
        campaignId: null,
        retry: BUSY,
        giveUpAtMs: ended.schedule?.giveUpAtMs,
      },
    });
    expect(next.schedule.scheduledForMs).toBe(ended.endedAtMs + 60_000);
    expect(ended.schedule).toMatchObject({ attempt: 1, scheduledForMs: null, nextCallId: next.id });
    const events = (await world.reader.events(party.accountId, ended.id)) ?? [];
    expect(events.at(-1)).toMatchObject({
      type: 'ended',
      data: {
        ended_reason: 'busy',
        next_call_id: next.id,
        next_attempt_at: new Date(ended.endedAtMs + 60_000).toISOString(),
      },
    });
    expect(await world.reader.events(party.accountId, next.id)).toMatchObject([{ type: 'scheduled' }]);
  });

  test('makes attempts until there have been as many as asked for, each after its own time', async () => {
    await world.drives.settle(settlementOf(await world.claimed(party, retried()), { reason: 'busy' }));
    for (const attempt of [2, 3]) {
      const next = (await callsOf(party)).find((call) => call.status === 'scheduled');
      expect(next?.schedule?.attempt).toBe(attempt);
      if (next) await end(next.id, 'no_answer');
    }
    const calls = await callsOf(party);
    expect(calls.map((call) => [call.status, call.schedule?.attempt])).toEqual([
      ['ended', 1],
      ['ended', 2],
      ['ended', 3],
    ]);
    const [, second, third] = calls;
    if (second?.status !== 'ended') throw new Error('other statuses');
    expect(third?.schedule?.scheduledForMs).toBe(second.endedAtMs + 300_000);
    const entries = await world.database.side.$queryRaw`
      SELECT call_id FROM ledger_entries WHERE account_id = ${party.accountId}::uuid AND kind = 'call_charge'`;
    expect(entries).toHaveLength(3);
  });

  test.each<[string, RetryPlan, number, 'declined' | 'busy']>([
    ['for another reason', BUSY, HOUR_MS, 'declined'],
    ['that would come after the time to give up', BUSY, 59_000, 'busy'],
  ])('schedules no retry %s', async (_, retry, withinMs, reason) => {
    await world.drives.settle(settlementOf(await world.claimed(party, retried(retry, withinMs)), { reason }));
    expect(await callsOf(party)).toMatchObject([{ status: 'ended', schedule: { nextCallId: null } }]);
  });

  test('schedules no retry of a call whose end was requested', async () => {
    const call = await world.claimed(party, retried());
    await world.ends.requestEnd({ accountId: party.accountId, callId: call.id });
    await world.drives.settle(settlementOf(call, { reason: 'no_answer' }));
    expect(await callsOf(party)).toHaveLength(1);
  });

  test('schedules the retries of one account together, and of several in one statement', async () => {
    const other = await world.party();
    const calls = await Promise.all([party, party, party, other].map((of) => world.claimed(of, retried())));
    const outcomes = await Promise.all(
      calls.map((call) => world.drives.settle(settlementOf(call, { reason: 'no_answer' }))),
    );
    expect(outcomes.map(({ kind }) => kind)).toEqual(['settled', 'settled', 'settled', 'settled']);
    expect((await callsOf(party)).filter(({ status }) => status === 'scheduled')).toHaveLength(3);
    expect((await callsOf(other)).filter(({ status }) => status === 'scheduled')).toHaveLength(1);
    const turns = await world.database.side.$queryRaw`
      SELECT t.account_id FROM dial_turns t WHERE t.account_id = ANY (${[party.accountId, other.accountId]}::uuid[])
        AND t.due_at = (SELECT min(s.due_at) FROM call_schedules s WHERE s.account_id = t.account_id AND s.is_waiting)`;
    expect(turns).toHaveLength(2);
  });

  test('gives a call the same successor however often it is settled: its id is derived', async () => {
    const call = await world.claimed(party, retried());
    await world.drives.settle(settlementOf(call, { reason: 'busy' }));
    await world.drives.settle(settlementOf(call, { reason: 'busy' }));
    const [, next, ...others] = await callsOf(party);
    expect(others).toEqual([]);
    const [derived] = await world.database.side.$queryRaw<{ id: string }[]>`
      SELECT successor_call_id(${call.id}::uuid)::text AS id`;
    expect(next?.id).toBe(derived?.id);
    expect(next?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});

test('a call that is retried gives up in the queue when its schedule does', async () => {
  const call = await world.queued(party, { ...retried(BUSY, 30_000), queueTtlSeconds: 600 });
  expect(call.expiresAtMs).toBe(call.schedule?.giveUpAtMs);
  expect(await find(call.id)).toEqual(call);
});

test('ending a scheduled call ends it at once, at no cost, with one ledger entry and no retry', async () => {
  const schedule = { scheduledForMs: Date.now() + HOUR_MS, giveUpAtMs: Date.now() + 2 * HOUR_MS, retry: BUSY };
  const { id: callId } = await world.scheduled(party, { schedule });
  expect(await world.ends.requestEnd({ accountId: party.accountId, callId })).toEqual({
    kind: 'cancelled',
    release: null,
  });
  expect(await find(callId)).toMatchObject({ status: 'ended', endedReason: 'cancelled', costMicros: micros(0) });
  expect(await callsOf(party)).toHaveLength(1);
  const entries = await world.database.side.$queryRaw`
    SELECT amount_micros FROM ledger_entries WHERE call_id = ${callId}::uuid`;
  expect(entries).toEqual([{ amount_micros: 0n }]);
  expect(await world.accepts.countScheduled(party.accountId, 10)).toBe(0);
});
