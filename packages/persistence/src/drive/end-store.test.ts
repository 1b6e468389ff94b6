import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, newCallId, settlementOf, WORKER, type World } from '../../test/world.ts';
import { createDriveStore } from './drive-store.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

test('a queued call is cancelled and settled at once, without charge', async () => {
  const party = await world.party();
  const call = await world.queued(party);
  expect(await world.ends.requestEnd({ accountId: party.accountId, callId: call.id })).toEqual({
    kind: 'cancelled',
    release: {
      callId: call.id,
      accountId: party.accountId,
      reservationId: await world.reservationOf(call.id),
      balance: { balanceMicros: 1_000_000_000n, balanceVersion: 1 },
    },
  });
  const stored = await world.reader.find(party.accountId, call.id);
  expect(stored).toMatchObject({ status: 'ended', endedReason: 'cancelled', costMicros: 0n });
  const entries = await world.database.side.$queryRaw`
    SELECT amount_micros AS amount FROM ledger_entries WHERE call_id = ${call.id}::uuid`;
  expect(entries).toEqual([{ amount: 0n }]);
});

test('a claimed call records the end request for its driver, once', async () => {
  const party = await world.party();
  const call = await world.claimed(party);
  const request = { accountId: party.accountId, callId: call.id };
  expect(await world.ends.requestEnd(request)).toEqual({ kind: 'requested' });
  expect(await world.ends.requestEnd(request)).toEqual({ kind: 'requested' });
  const events = await world.reader.events(party.accountId, call.id);
  expect(events?.map(({ type }) => type)).toEqual(['queued', 'dialing', 'end_requested']);
});

test('an ended call stays unchanged', async () => {
  const party = await world.party();
  const call = await world.claimed(party);
  await world.drives.settle(settlementOf(call));
  const before = await world.reader.find(party.accountId, call.id);
  expect(await world.ends.requestEnd({ accountId: party.accountId, callId: call.id })).toEqual({
    kind: 'already_ended',
  });
  expect(await world.reader.find(party.accountId, call.id)).toEqual(before);
});

test("another account's call is not found, even in a batch with its owner's request", async () => {
  const party = await world.party();
  const stranger = await world.party();
  const call = await world.claimed(party);
  const ask = (accountId: typeof party.accountId, callId = call.id) => world.ends.requestEnd({ accountId, callId });
  const outcomes = await Promise.all([
    ask(stranger.accountId),
    ask(party.accountId),
    ask(stranger.accountId),
    ask(party.accountId, newCallId()),
  ]);
  expect(outcomes.map(({ kind }) => kind)).toEqual(['not_found', 'requested', 'not_found', 'not_found']);
});

test('in a race with the claim, the call is either cancelled or dialed with the end request recorded, never both', async () => {
  const party = await world.party();
  const calls = await Promise.all(Array.from({ length: 60 }, () => world.queued(party)));
  const worker = createDriveStore(world.database);
  await Promise.all(
    calls.map(async ({ id }) => {
      const [ended, claimed] = await Promise.all([
        world.ends.requestEnd({ accountId: party.accountId, callId: id }),
        worker.claim({ callId: id, workerId: WORKER, leaseMs: 60_000, writeAheadDial: false }),
      ]);
      const story = `${ended.kind} ${claimed.kind}`;
      expect(['cancelled ended', 'requested claimed']).toContain(story);
    }),
  );
});
