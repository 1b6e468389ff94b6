import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DriveWorld } from '../../test/drive-world.ts';
import { TrunkWorld } from '../../test/trunk-world.ts';
import { trunkOf } from '../testing/trunks/trunk-of.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function worldOf() {
  const trunks = new TrunkWorld();
  return { trunks, drive: new DriveWorld({ trunks }) };
}

test('a call that may be dialed is claimed, and its trunk is tried first', async () => {
  const { drive } = worldOf();
  const { leg } = await drive.dial();
  expect(leg.request.acquiredTrunk).toBe('main');
  expect(drive.store.status).toBe('dialing');
});

test.each([
  [{ kind: 'wait', forMs: 700 }, 700],
  [{ kind: 'closed' }, 1_000],
] as const)('while the answer is %j the call waits in the queue, unclaimed', async (acquisition, afterMs) => {
  const { trunks, drive } = worldOf();
  trunks.acquisition = acquisition;
  expect(await drive.drive()).toEqual({ kind: 'later', afterMs });
  expect(drive.store.asked).toEqual([]);
  expect(drive.store.status).toBe('queued');
});

test('channels that a rebuilt gate does not know yet are restored, and the call is tried again at once', async () => {
  const { trunks, drive } = worldOf();
  trunks.stale = true;
  expect(await drive.drive()).toEqual({ kind: 'later', afterMs: 0 });
  expect(trunks.restores).toBe(1);
  await drive.dial();
  expect(drive.store.status).toBe('dialing');
});

test('a call that the gate does not hold is left to the claim', async () => {
  const { trunks, drive } = worldOf();
  trunks.acquisition = { kind: 'not_held' };
  drive.store.status = 'ended';
  expect(await drive.drive()).toEqual({ kind: 'done' });
});

test('without any trunk a call waits in the queue, unclaimed', async () => {
  const { trunks, drive } = worldOf();
  trunks.trunks = [];
  expect(await drive.drive()).toEqual({ kind: 'later', afterMs: 2_000 });
  expect(drive.store.asked).toEqual([]);
});

test('while every trunk is down a call waits in the queue, and is claimed when one is back', async () => {
  const { trunks, drive } = worldOf();
  let isUp = false;
  trunks.health = { isUp: () => isUp, tryProbe: async () => false };
  expect(await drive.drive()).toEqual({ kind: 'later', afterMs: 2_000 });
  expect(drive.store.status).toBe('queued');
  isUp = true;
  await drive.dial();
  expect(drive.store.status).toBe('dialing');
});

test('a half-open trunk is probed with the call that has the right to, even if another trunk is up', async () => {
  const { trunks, drive } = worldOf();
  const probing = new Set<string>();
  trunks.health = {
    isUp: ({ name }) => name === 'spare' || probing.has(name),
    tryProbe: async ({ name }) => name === 'main' && probing.add(name).size > 0,
  };
  const { leg } = await drive.dial();
  expect(leg.request.acquiredTrunk).toBe('main');
});

const french = trunkOf({ name: 'french', callerId: { prefixes: ['33'], asserted: false } });

test('a trunk that rejects the caller number is not waited for', async () => {
  const { trunks, drive } = worldOf();
  trunks.trunks = [french, trunkOf({ name: 'any', priority: 20 })];
  const { leg } = await drive.dial();
  expect(leg.request.acquiredTrunk).toBe('any');
});

test('a call whose caller number no trunk accepts is claimed at once, however full the trunks are', async () => {
  const { trunks, drive } = worldOf();
  trunks.trunks = [french];
  trunks.acquisition = { kind: 'wait', forMs: 700 };
  const { leg } = await drive.dial();
  expect(leg.request.acquiredTrunk).toBeNull();
});

test('without caller rules the caller number is not read', async () => {
  const { trunks, drive } = worldOf();
  await drive.dial();
  expect(trunks.callerNumberReads).toBe(0);
});

test('a store that is away leaves the call in the queue', async () => {
  const trunks = new TrunkWorld();
  trunks.trunkChannels = { ...trunks.trunkChannels, acquire: () => Promise.reject(new Error('Redis is away')) };
  const drive = new DriveWorld({ trunks });
  await expect(drive.drive()).rejects.toThrow('Redis is away');
  expect(drive.store.asked).toEqual([]);
});

test('a driver without trunks claims every call without asking for a channel', async () => {
  const drive = new DriveWorld();
  const { leg } = await drive.dial();
  expect(leg.request.acquiredTrunk).toBeNull();
});
