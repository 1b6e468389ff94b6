import { createLogger, systemClock } from '@outdial/kernel';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { callId, DriveWorld, pass } from '../../test/drive-world.ts';
import { TrunkWorld } from '../../test/trunk-world.ts';
import { LEASE_MS } from '../lease.ts';
import { takeOverCalls, type TakeOverDeps } from './take-over-calls.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

interface Lost {
  readonly dialled: boolean;
  /** How long it had talked at its last lease renewal; null if it was not answered. */
  readonly talkedMs: number | null;
}

/** A call whose worker died: its lease is not renewed any more and expires. */
async function lostCall({ dialled, talkedMs }: Lost): Promise<DriveWorld> {
  const world = new DriveWorld();
  const { store } = world;
  await world.claim(LEASE_MS);
  const fencingToken = { callId, epoch: 1 };
  if (dialled) await store.saveDialog({ ...fencingToken, carrier: 'fake', dialog: { leg: 1 } });
  if (talkedMs !== null) {
    await store.advance({ ...fencingToken, to: 'in_progress', atMs: systemClock.nowMs() });
    await pass(talkedMs);
    await store.renewLease({ ...fencingToken, leaseMs: LEASE_MS });
  }
  await pass(LEASE_MS);
  return world;
}

function takeOver(world: DriveWorld): Promise<number> {
  const deps: TakeOverDeps = {
    ...world.deps,
    logger: createLogger({ name: 'test', level: 'silent' }),
    workerId: 'worker-2',
  };
  return takeOverCalls(deps, { limit: 10 });
}

test('a call that rang when its worker died ends worker_lost, its leg ended by the stored dialog, at no cost', async () => {
  const world = await lostCall({ dialled: true, talkedMs: null });
  expect(await takeOver(world)).toBe(1);
  expect(world.carrier.orphansEnded).toEqual([{ leg: 1 }]);
  expect(world.settlement).toMatchObject({ reason: 'worker_lost', charge: { costMicros: 0n }, recordingKey: null });
  expect(world.releases).toHaveLength(1);
});

test('a call that talked is billed from the answer to the last lease renewal, and its recording is repaired', async () => {
  const world = await lostCall({ dialled: true, talkedMs: 61_000 });
  await takeOver(world);
  const { answeredAtMs, endedAtMs, charge, recordingKey } = world.settlement;
  expect(endedAtMs - (answeredAtMs ?? 0)).toBe(61_000);
  expect(charge).toEqual({ billableSeconds: 120, costMicros: 24_000n });
  expect(recordingKey).toBe(`${callId}.wav`);
});

test('a call without a repairable recording ends without one', async () => {
  const world = await lostCall({ dialled: true, talkedMs: 1_000 });
  world.repairable = false;
  await takeOver(world);
  expect(world.settlement.recordingKey).toBeNull();
});

test('a call with a live lease is left alone', async () => {
  const world = new DriveWorld();
  await world.claim(LEASE_MS);
  await pass(LEASE_MS - 1);
  expect(await takeOver(world)).toBe(0);
  expect(world.store.settlements).toHaveLength(0);
});

test.each(['unknown', new Error('the trunk does not answer')] as const)(
  'a leg that may still be up (%s) keeps its call open, until it can no longer be up',
  async (orphanAnswer) => {
    const world = await lostCall({ dialled: true, talkedMs: 1_000 });
    world.carrier.orphanAnswer = orphanAnswer;
    await takeOver(world);
    expect(world.store.settlements).toHaveLength(0);
    // Its new lease keeps other workers away for a while; then it is tried again.
    expect(await takeOver(world)).toBe(0);
    await pass(2_000_000);
    expect(await takeOver(world)).toBe(1);
    expect(world.settlement).toMatchObject({ reason: 'worker_lost', charge: { billableSeconds: 60 } });
  },
);

test('a worker whose clock is hours ahead ends no call whose leg may still be up', async () => {
  const world = await lostCall({ dialled: true, talkedMs: 1_000 });
  world.carrier.orphanAnswer = 'unknown';
  vi.setSystemTime(Date.now() + 36_000_000);
  await takeOver(world);
  expect(world.store.asked).not.toContain('settle');
});

test('a leg of a carrier that is not configured here is waited for', async () => {
  const world = await lostCall({ dialled: true, talkedMs: null });
  world.store.carrier = 'another';
  await takeOver(world);
  expect(world.carrier.orphansEnded).toEqual([]);
  expect(world.store.settlements).toHaveLength(0);
});

test('a call without a dialog, whose driver stores it first, was never dialed: it ends at once', async () => {
  const world = new DriveWorld();
  await world.claim(LEASE_MS, true);
  await pass(LEASE_MS);
  await takeOver(world);
  expect(world.carrier.orphansEnded).toEqual([]);
  expect(world.settlement).toMatchObject({ reason: 'worker_lost', neverDialled: true, charge: { costMicros: 0n } });
});

test('a claim stores whether its carrier stores the dialog first', async () => {
  const world = new DriveWorld({ trunks: new TrunkWorld() });
  world.carrier.writeAheadDial = true;
  const { leg, driving } = await world.dial();
  expect(world.store.writeAheadDial).toBe(true);
  leg.end({ outcome: 'busy' });
  await driving;
});

test('without a dialog the call waits until no leg can ring any more', async () => {
  const world = await lostCall({ dialled: false, talkedMs: null });
  await takeOver(world);
  expect(world.store.settlements).toHaveLength(0);
  await pass(160_000);
  await takeOver(world);
  expect(world.settlement.reason).toBe('worker_lost');
});

test('with Postgres away at the settlement nothing is lost: the next take-over settles', async () => {
  const world = await lostCall({ dialled: true, talkedMs: null });
  world.store.settleError = new Error('Postgres is away');
  await takeOver(world);
  expect(world.releases).toHaveLength(0);
  world.store.settleError = undefined;
  await pass(LEASE_MS);
  await takeOver(world);
  expect(world.settlement.reason).toBe('worker_lost');
});

test('a driver that comes back late is fenced, and hangs up', async () => {
  const world = new DriveWorld();
  const { leg, driving } = await world.answer();
  world.store.leaseExpiresAtMs = 0;
  world.carrier.driverCutOff = true;
  await takeOver(world);
  await pass(16_000);
  await driving;
  expect(leg.hangUps).toBe(1);
  expect(world.settlement.reason).toBe('worker_lost');
  expect(world.releases).toHaveLength(1);
});
