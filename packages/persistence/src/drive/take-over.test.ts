import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, settlementOf, type World } from '../../test/world.ts';
import { createDriveStore } from './drive-store.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

/** Makes a call's lease expire `agoMs` ago; its last renewal was a lease earlier. */
async function expireLease(callId: string, agoMs = 1_000): Promise<void> {
  await world.database.side.$executeRaw`
    UPDATE calls SET lease_expires_at = clock_timestamp() - ${agoMs}::int * interval '1 millisecond',
      lease_renewed_at = clock_timestamp() - (${agoMs}::int + 60000) * interval '1 millisecond'
    WHERE id = ${callId}::uuid`;
}

test('a call with an expired lease is taken over with a new epoch and all stored data', async () => {
  const party = await world.party();
  const call = await world.claimed(party);
  const fence = { callId: call.id, epoch: call.epoch };
  await world.drives.saveDialog({ ...fence, carrier: 'simulated', dialog: { leg: 7 } });
  await world.drives.advance({ ...fence, to: 'in_progress', atMs: call.startedAtMs + 1_000 });
  await expireLease(call.id);
  const [orphan] = await world.drives.takeOver({ workerId: 'other', leaseMs: 10, limit: 5, callId: call.id });
  expect(orphan).toMatchObject({
    id: call.id,
    epoch: call.epoch + 1,
    requestId: 'req-1',
    carrier: 'simulated',
    dialog: { leg: 7 },
    startedAtMs: call.startedAtMs,
    answeredAtMs: call.startedAtMs + 1_000,
  });
  const [now] = await world.database.side.$queryRaw<{ ms: number }[]>`SELECT epoch_ms(clock_timestamp()) AS ms`;
  expect(orphan?.takenOverAtMs).toBeGreaterThanOrEqual(call.startedAtMs);
  expect(orphan?.takenOverAtMs).toBeLessThanOrEqual(now?.ms ?? 0);
});

test('a take-over returns whether the driver stored each leg before sending', async () => {
  const party = await world.party();
  for (const writeAheadDial of [true, false]) {
    const { id: callId } = await world.queued(party);
    await world.drives.claim({ callId, workerId: 'first', leaseMs: 60_000, writeAheadDial });
    await world.drives.handOver({ callId, epoch: 1 });
    const [orphan] = await world.drives.takeOver({ workerId: 'other', leaseMs: 60_000, limit: 1, callId });
    expect(orphan).toMatchObject({ writeAheadDial, dialog: null });
  }
});

test('a claim by the previous release’s statement counts as not storing legs ahead', async () => {
  const { id: callId } = await world.queued(await world.party());
  await world.database.side.$executeRaw`
    UPDATE calls SET status = 'dialing', epoch = 1, worker_id = 'before', started_at = created_at + interval '1 ms',
      lease_renewed_at = clock_timestamp(), lease_expires_at = clock_timestamp()
    WHERE id = ${callId}::uuid`;
  const [orphan] = await world.drives.takeOver({ workerId: 'other', leaseMs: 60_000, limit: 1, callId });
  expect(orphan).toMatchObject({ writeAheadDial: false });
});

test('the response that answered a call is kept, whichever worker ends it', async () => {
  const party = await world.party();
  const call = await world.claimed(party);
  await world.drives.advance({ callId: call.id, epoch: call.epoch, to: 'in_progress', atMs: call.startedAtMs + 1_000 });
  expect(await world.reader.find(party.accountId, call.id)).toHaveProperty('sipCode', 200);
  await world.drives.handOver({ callId: call.id, epoch: call.epoch });
  const [orphan] = await world.drives.takeOver({ workerId: 'other', leaseMs: 60_000, limit: 1, callId: call.id });
  const lost = { ...settlementOf(call), epoch: orphan?.epoch ?? 0, reason: 'worker_lost', sipCode: null } as const;
  await world.drives.settle(lost);
  expect(await world.reader.find(party.accountId, call.id)).toMatchObject({ status: 'ended', sipCode: 200 });
});

test('the driver’s last renewal survives a second take-over and the renewals in between', async () => {
  const call = await world.claimed(await world.party());
  await expireLease(call.id);
  const [first] = await world.drives.takeOver({ workerId: 'second', leaseMs: 10, limit: 1, callId: call.id });
  expect(await world.drives.renewLease({ callId: call.id, epoch: 2, leaseMs: 60_000 })).toHaveProperty(
    'kind',
    'written',
  );
  await world.database.side.$executeRaw`
    UPDATE calls SET lease_expires_at = clock_timestamp() - interval '1 second' WHERE id = ${call.id}::uuid`;
  const [second] = await world.drives.takeOver({ workerId: 'third', leaseMs: 10, limit: 1, callId: call.id });
  expect(second).toMatchObject({ epoch: 3, leaseRenewedAtMs: first?.leaseRenewedAtMs });
});

test('two workers never take over the same call, and together take over all', async () => {
  const party = await world.party();
  const calls = await Promise.all(Array.from({ length: 40 }, () => world.claimed(party)));
  await Promise.all(calls.map((call) => world.drives.handOver({ callId: call.id, epoch: call.epoch })));
  const workers = Array.from({ length: 4 }, () => createDriveStore(world.database));
  const taken = await Promise.all(
    workers.flatMap((worker, index) =>
      Array.from({ length: 5 }, () => worker.takeOver({ workerId: `worker-${index}`, leaseMs: 60_000, limit: 7 })),
    ),
  );
  const rest = await world.drives.takeOver({ workerId: 'last', leaseMs: 60_000, limit: 100 });
  const known = new Set(calls.map(({ id }) => id));
  const ids = [...taken.flat(), ...rest].map(({ id }) => id).filter((id) => known.has(id));
  expect(ids.toSorted()).toEqual(calls.map(({ id }) => id).toSorted());
});

describe('does not take over', () => {
  test('a call with a valid lease', async () => {
    const call = await world.claimed(await world.party());
    expect(await world.drives.takeOver({ workerId: 'other', leaseMs: 10, limit: 5, callId: call.id })).toEqual([]);
  });

  test('an unclaimed call', async () => {
    const call = await world.queued(await world.party());
    expect(await world.drives.takeOver({ workerId: 'other', leaseMs: 10, limit: 5, callId: call.id })).toEqual([]);
  });

  test('a call whose lease expired before Postgres was up for a lease', async () => {
    const call = await world.claimed(await world.party());
    await expireLease(call.id);
    // As if a lease were longer than this Postgres has been up: its driver could not renew.
    const leaseMs = 20 * 24 * 3_600_000;
    expect(await world.drives.takeOver({ workerId: 'other', leaseMs, limit: 5, callId: call.id })).toEqual([]);
  });
});

test('a call that was handed over is taken over at once, even right after Postgres started', async () => {
  const call = await world.claimed(await world.party());
  await world.drives.handOver({ callId: call.id, epoch: call.epoch });
  const leaseMs = 20 * 24 * 3_600_000;
  const taken = await world.drives.takeOver({ workerId: 'other', leaseMs, limit: 5, callId: call.id });
  expect(taken.map(({ id }) => id)).toEqual([call.id]);
});
