import type { AcceptStore, ClaimedCall, DriveStore, EndStore } from '@outdial/calls';
import { micros, type CallId } from '@outdial/contracts';
import { systemClock } from '@outdial/kernel';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAcceptStore, createDriveStore, createEndStore } from './index.ts';
import { createWorld, newCallId, settlementOf, WORKER, type Party, type World } from '../test/world.ts';

let world: World;
let party: Party;
/** What was announced, and how many events of the call were readable at that time. */
const announced: { readonly callId: CallId; readonly readable: Promise<number> }[] = [];
const onCommitted = (callIds: readonly CallId[]) => {
  for (const callId of callIds) announced.push({ callId, readable: countEvents(callId) });
};
let accepts: AcceptStore;
let drives: DriveStore;
let ends: EndStore;

beforeAll(async () => {
  world = await createWorld();
  party = await world.party();
  accepts = createAcceptStore(world.database, { clock: systemClock, onCommitted });
  drives = createDriveStore(world.database, { onCommitted });
  ends = createEndStore(world.database, { onCommitted });
});
afterAll(() => world.close());

const countEvents = async (callId: CallId) => (await world.reader.events(party.accountId, callId))?.length ?? 0;

const fenceOf = (call: ClaimedCall) => ({ callId: call.id, epoch: call.epoch });

const WRITES: Record<string, (call: ClaimedCall) => Promise<unknown>> = {
  advance: (call) => drives.advance({ ...fenceOf(call), to: 'ringing', atMs: 0, sipCode: 180 }),
  saveAnsweredBy: (call) => drives.saveAnsweredBy({ ...fenceOf(call), answeredBy: 'human', atMs: 0 }),
  enlargeHold: async (call) => {
    const token = await world.reconciles.currentToken();
    return drives.enlargeHold({ ...fenceOf(call), holdMicros: micros(90_000), token });
  },
  requestEnd: (call) => ends.requestEnd({ accountId: party.accountId, callId: call.id }),
  settle: (call) => drives.settle(settlementOf(call)),
  async takeOver(call) {
    await world.drives.handOver(fenceOf(call));
    return drives.takeOver({ workerId: 'other', leaseMs: 60_000, limit: 1, callId: call.id });
  },
};

const WRITES_TO_QUEUED: Record<string, (callId: CallId) => Promise<unknown>> = {
  claim: (callId) => drives.claim({ callId, workerId: WORKER, leaseMs: 60_000, writeAheadDial: true }),
  requestEnd: (callId) => ends.requestEnd({ accountId: party.accountId, callId }),
  endQueued: (callId) => drives.endQueued({ callIds: [callId], reason: 'queue_expired' }),
};

/** Expects that exactly this call was announced, once its new events were readable. */
async function expectAnnounced(callId: CallId, write: () => Promise<unknown>): Promise<void> {
  const before = await countEvents(callId);
  announced.length = 0;
  await write();
  expect(announced.map((change) => change.callId)).toEqual([callId]);
  expect(await announced[0]?.readable).toBeGreaterThan(before);
}

describe('every write that adds to a timeline is announced after its commit', () => {
  test.each(Object.entries(WRITES))('%s', async (_, write) => {
    const call = await world.claimed(party);
    await expectAnnounced(call.id, () => write(call));
  });

  test.each(Object.entries(WRITES_TO_QUEUED))('%s of a queued call', async (_, write) => {
    const { id } = await world.queued(party);
    await expectAnnounced(id, () => write(id));
  });

  test('accept', async () => {
    const row = await world.row(party);
    await expectAnnounced(row.callId, () => accepts.accept(row));
  });
});

test('a call that is claimed again is announced, since its start moves', async () => {
  const call = await world.claimed(party);
  announced.length = 0;
  expect(await drives.reclaim({ ...fenceOf(call), leaseMs: 60_000 })).toEqual({ kind: 'claimed' });
  expect(announced.map(({ callId }) => callId)).toEqual([call.id]);
});

test('only writes that add an event are announced: no renewals, dialogs or rejected writes', async () => {
  const call = await world.claimed(party);
  const fence = fenceOf(call);
  announced.length = 0;
  await drives.renewLease({ ...fence, leaseMs: 60_000 });
  await drives.handOver(fenceOf(await world.claimed(party)));
  await drives.saveDialog({ ...fence, carrier: 'simulated', dialog: {} });
  await drives.claim({ callId: call.id, workerId: WORKER, leaseMs: 60_000, writeAheadDial: true });
  await drives.advance({ ...fence, epoch: fence.epoch + 1, to: 'ringing', atMs: 0, sipCode: 180 });
  await ends.requestEnd({ accountId: party.accountId, callId: newCallId() });
  expect(announced).toEqual([]);
});
