import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, cycle, newCallId, WORKER, type World } from '../../test/world.ts';
import { createDriveStore } from './drive-store.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const claimOf = (callId: ReturnType<typeof newCallId>) => ({
  callId,
  workerId: WORKER,
  leaseMs: 60_000,
  writeAheadDial: false,
});

test('the claimed call carries what its driver needs', async () => {
  const party = await world.party();
  const call = await world.queued(party);
  const outcome = await world.drives.claim(claimOf(call.id));
  expect(outcome).toMatchObject({
    kind: 'claimed',
    call: {
      id: call.id,
      epoch: 1,
      requestId: 'req-1',
      rate: call.rate,
      settings: { kind: 'usable', settings: { first_message: 'Hello {{name}}.' } },
      variables: { name: 'Zoë' },
      createdAtMs: call.createdAtMs,
      queuedAtMs: call.createdAtMs,
    },
  });
});

test('settings of an earlier release get current defaults; unusable ones say why', async () => {
  for (const [stored, settings] of [
    [
      { name: 'Anna', first_message: 'Hello.' },
      { kind: 'usable', settings: { lines: [], closing: 'Goodbye.' } },
    ],
    [{ name: 'Anna' }, { kind: 'unusable', problem: expect.stringContaining('first_message') }],
  ]) {
    const party = await world.party();
    await world.database.side.$executeRaw`
      UPDATE agent_versions SET settings = ${JSON.stringify(stored)}::jsonb WHERE agent_id = ${party.agentId}::uuid`;
    expect(await world.claimed(party)).toMatchObject({ settings });
  }
});

test('of 100 parallel claims of a call by several workers, exactly one wins', async () => {
  const call = await world.queued(await world.party());
  const workers = Array.from({ length: 4 }, () => createDriveStore(world.database));
  const outcomes = await Promise.all(
    Array.from({ length: 100 }, (_, index) => cycle(workers, index).claim(claimOf(call.id))),
  );
  const kinds = outcomes.map((outcome) => outcome.kind);
  expect(kinds.filter((kind) => kind === 'claimed')).toHaveLength(1);
  expect(kinds.filter((kind) => kind === 'leased')).toHaveLength(99);
});

test('a call that is claimed at the moment of its acceptance starts at least a millisecond later', async () => {
  const party = await world.party();
  const calls = await Promise.all(Array.from({ length: 50 }, () => world.claimed(party)));
  for (const call of calls) expect(call.startedAtMs).toBeGreaterThan(call.createdAtMs);
});

describe('a rejected claim says why', () => {
  test('unknown', async () => {
    expect(await world.drives.claim(claimOf(newCallId()))).toEqual({ kind: 'unknown' });
  });

  test('leased, with the remaining time', async () => {
    const call = await world.claimed(await world.party());
    const outcome = await world.drives.claim(claimOf(call.id));
    expect(outcome).toEqual({ kind: 'leased', forMs: expect.any(Number) });
    expect(outcome).toHaveProperty(
      'forMs',
      expect.toSatisfy((forMs: number) => forMs > 50_000 && forMs <= 60_000),
    );
  });

  test('lease expired: to be taken over, never dialed again', async () => {
    const call = await world.claimed(await world.party());
    await world.drives.handOver({ callId: call.id, epoch: call.epoch });
    expect(await world.drives.claim(claimOf(call.id))).toEqual({ kind: 'lease_over' });
  });

  test('ended', async () => {
    const call = await world.queued(await world.party());
    await world.drives.endQueued({ callIds: [call.id], reason: 'cancelled' });
    expect(await world.drives.claim(claimOf(call.id))).toEqual({ kind: 'ended' });
  });

  test('past its queue time', async () => {
    const call = await world.queued(await world.party(), { queueTtlSeconds: 0 });
    expect(await world.drives.claim(claimOf(call.id))).toEqual({ kind: 'refused', reason: 'queue_expired' });
  });

  test('disabled account', async () => {
    const party = await world.party();
    const call = await world.queued(party);
    await world.database.side.$executeRaw`UPDATE accounts SET enabled = false WHERE id = ${party.accountId}::uuid`;
    expect(await world.drives.claim(claimOf(call.id))).toEqual({ kind: 'refused', reason: 'cancelled' });
  });
});

test('claims of one batch are decided independently', async () => {
  const party = await world.party();
  const queued = await world.queued(party);
  const expired = await world.queued(party, { queueTtlSeconds: 0 });
  const outcomes = await Promise.all([queued.id, expired.id, newCallId()].map((id) => world.drives.claim(claimOf(id))));
  expect(outcomes.map(({ kind }) => kind)).toEqual(['claimed', 'refused', 'unknown']);
});
