import { micros } from '@outdial/contracts';
import { expect, test } from 'vitest';
import { accountId, ReconcileWorld } from '../../test/reconcile-world.ts';
import { TOKEN } from '../testing/gate/gate-fixture.ts';
import type { AccountLimits, ReleaseInput } from '../ports/gate.ts';
import type { HoldStatus } from '../ports/reconcile-store.ts';
import { reconcileGate } from './reconcile-gate.ts';

const OPEN: HoldStatus = { kind: 'open' };
const UNKNOWN: HoldStatus = { kind: 'unknown' };
const OLD_MS = 40_000;

const limits = (balanceVersion: number, capacityVersion: number): AccountLimits => ({
  accountId,
  balanceMicros: micros(100),
  balanceVersion,
  capacity: 5,
  capacityVersion,
});

test('keeps the hold of an open call, however old', async () => {
  const world = new ReconcileWorld();
  world.hold(1, 100 * OLD_MS, OPEN);
  await reconcileGate(world);
  expect(world.released).toEqual([]);
});

test('releases the hold of an ended call, with the current balance from Postgres', async () => {
  const world = new ReconcileWorld();
  const hold = world.hold(1, 0, OPEN);
  const { callId, reservationId } = hold;
  const balance = { balanceMicros: micros(90), balanceVersion: 7 };
  const release: ReleaseInput = { callId, accountId, reservationId, balance };
  world.statuses.set(callId, { kind: 'ended', release });
  await reconcileGate(world);
  expect(world.released).toEqual([release]);
});

test('voids a reservation that became no call, and then releases its hold', async () => {
  const world = new ReconcileWorld();
  const { callId, reservationId } = world.hold(1, OLD_MS, UNKNOWN);
  await reconcileGate(world);
  expect(world.voided).toEqual([reservationId]);
  expect(world.released).toEqual([{ callId, accountId, reservationId }]);
});

test('leaves a reservation alone while it may still become a call', async () => {
  const world = new ReconcileWorld();
  world.hold(1, OLD_MS - 1, UNKNOWN);
  await reconcileGate(world);
  expect(world.voided).toEqual([]);
  expect(world.released).toEqual([]);
});

test('keeps the hold if the commit came before the void row', async () => {
  const world = new ReconcileWorld();
  world.commitLate(world.hold(1, OLD_MS, UNKNOWN));
  await reconcileGate(world);
  expect(world.released).toEqual([]);
});

test('checks every hold, page by page', async () => {
  const world = new ReconcileWorld();
  for (let tail = 1; tail <= 7; tail += 1) world.hold(tail, OLD_MS, UNKNOWN);
  await reconcileGate(world);
  expect(world.released).toHaveLength(7);
});

test('sends a newer balance or limit to the gate, and nothing for an equal one', async () => {
  for (const [known, current, refreshed] of [
    [limits(3, 1), limits(3, 1), 0],
    [limits(3, 1), limits(4, 1), 1],
    [limits(3, 1), limits(3, 2), 1],
  ] as const) {
    const world = new ReconcileWorld();
    world.open([known]);
    world.postgresAccounts = [current];
    await reconcileGate(world);
    expect(world.refreshedAccounts).toHaveLength(refreshed);
    expect(world.refreshedSystem).toEqual([1]);
  }
});

test.each([
  ['generation', { generation: 2, walTimeline: '00000001' }],
  ['timeline', { generation: 1, walTimeline: '00000002' }],
])('closes a gate of another %s than Postgres has, and releases nothing by it', async (_what, postgresToken) => {
  const world = new ReconcileWorld();
  world.hold(1, OLD_MS, UNKNOWN);
  world.postgresToken = postgresToken;
  await reconcileGate(world);
  expect(world.closed).toEqual([TOKEN]);
  expect((await world.redis.state()).open).toBe(false);
  expect(world.released).toEqual([]);
});

test('leaves a closed gate to its rebuild', async () => {
  const world = new ReconcileWorld();
  world.hold(1, OLD_MS, UNKNOWN);
  await world.redis.close(TOKEN);
  await reconcileGate(world);
  expect(world.released).toEqual([]);
  expect(world.closed).toEqual([]);
});
