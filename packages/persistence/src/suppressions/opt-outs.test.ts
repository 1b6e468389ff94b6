import type { ClaimedCall, OptOut } from '@outdial/calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { storedOptOut } from '../../test/opt-out.ts';
import { claim, createWorld, settlementOf, type Party, type World } from '../../test/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const BY_KEY: OptOut = { evidence: 'key', note: null };
const BY_TOOL: OptOut = { evidence: 'tool', note: 'wrong number' };

const optOut = ({ id: callId, epoch, startedAtMs }: ClaimedCall, how: OptOut) =>
  world.drives.optOut({ callId, epoch, ...how, atMs: startedAtMs + 3_000 });
const settle = (call: ClaimedCall, how: OptOut) =>
  world.drives.settle(settlementOf(call, { reason: 'opted_out', optOut: how }));
const timeline = async ({ accountId }: Party, call: ClaimedCall) =>
  (await world.reader.events(accountId, call.id))?.map(({ type, data }) => [type, data]);
const suppressionsOf = ({ accountId }: Party) => world.database.side.$queryRaw<object[]>`
  SELECT kind, source, reason, call_id AS "callId", created_by AS "createdBy" FROM suppressions
  WHERE account_id = ${accountId}::uuid`;

test('an opt-out is an entry of the account’s list and an event before the end, once each', async () => {
  const party = await world.party();
  const call = await world.claimed(party);
  await optOut(call, BY_TOOL);
  await Promise.all([optOut(call, BY_TOOL), settle(call, BY_TOOL)]);
  expect(await suppressionsOf(party)).toEqual([
    { kind: 'opt_out', source: 'call', reason: 'wrong number', callId: call.id, createdBy: 'callee' },
  ]);
  const events = await timeline(party, call);
  expect(events?.filter(([type]) => type === 'opted_out')).toEqual([['opted_out', BY_TOOL]]);
  expect(events?.at(-1)?.[0]).toBe('ended');
});

test('an opt-out that only the settlement brings is an event before the end, too', async () => {
  const party = await world.party();
  const call = await world.claimed(party);
  const { id: callId, epoch, startedAtMs } = call;
  await world.drives.advance({ callId, epoch, to: 'in_progress', atMs: startedAtMs + 2_000 });
  await settle(call, BY_KEY);
  expect((await timeline(party, call))?.slice(-2)).toEqual([
    ['opted_out', { evidence: 'key' }],
    ['ended', { ended_reason: 'opted_out', sip_code: 200 }],
  ]);
});

test('an opt-out of a worker that has lost the call stands, and the worker learns that it has lost it', async () => {
  const party = await world.party();
  const call = await world.claimed(party, {}, 1);
  await expect
    .poll(() => world.drives.takeOver({ workerId: 'second', leaseMs: 60_000, limit: 1, callId: call.id }))
    .toHaveLength(1);
  expect(await optOut(call, BY_KEY)).toEqual({ kind: 'fenced' });
  expect(await settle(call, BY_KEY)).toEqual({ kind: 'fenced' });
  expect(await storedOptOut(world.database, call.id)).toEqual(BY_KEY);
});

test('opt-outs of several calls at once to one number are one entry, and an event in each call', async () => {
  const party = await world.party();
  const calls = [await world.claimed(party), await world.claimed(party)];
  await Promise.all(calls.map((call) => optOut(call, BY_KEY)));
  expect(await suppressionsOf(party)).toHaveLength(1);
  for (const call of calls) {
    expect((await timeline(party, call))?.map(([type]) => type)).toContain('opted_out');
  }
});

test('after an opt-out the account no longer calls the number, and other accounts do', async () => {
  const [party, other] = [await world.party(), await world.party()];
  const [call, queued, scheduled] = [
    await world.claimed(party),
    await world.queued(party),
    await world.scheduled(party),
  ];
  const queuedByOther = await world.queued(other);
  await optOut(call, BY_KEY);
  const again = await world.accepts.accept(await world.row(party));
  expect(again.kind).toBe('suppressed');
  const claimInput = { workerId: 'second', leaseMs: 60_000, writeAheadDial: false };
  expect(await world.drives.claim({ callId: queued.id, ...claimInput })).toEqual({
    kind: 'refused',
    reason: 'suppressed',
  });
  await expect
    .poll(() => world.reader.find(party.accountId, scheduled.id))
    .toMatchObject({ status: 'ended', endedReason: 'suppressed' });
  expect(await claim(world.drives, queuedByOther.id)).toMatchObject({ id: queuedByOther.id });
});
