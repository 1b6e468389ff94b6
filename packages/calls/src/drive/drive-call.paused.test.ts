import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { callId, DriveWorld, pass } from '../../test/drive-world.ts';
import { FakeLeg } from '../../test/fake-carrier.ts';
import { TrunkWorld } from '../../test/trunk-world.ts';
import { trunkOf } from '../testing/trunks/trunk-of.ts';
import { DIAL_PERMIT_MS } from './dial-window.ts';
import { LEASE_MS } from '../lease.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const HOUR_MS = 3_600_000;

/** A call whose carrier is ready only after dialing was paused. */
async function pausedBeforeDial(trunks?: TrunkWorld) {
  const world = new DriveWorld({ ringTimeoutSeconds: 30, ...(trunks ? { trunks } : {}) });
  world.carrier.connectMs = DIAL_PERMIT_MS;
  const driving = world.drive();
  await pass(0);
  world.store.paused = true;
  await pass(DIAL_PERMIT_MS);
  expect(world.store.status).toBe('dialing');
  return { world, driving };
}

test('while dialing is paused a call stays in the queue, and is tried again within a second', async () => {
  const world = new DriveWorld();
  world.store.paused = true;
  expect(await world.drive()).toEqual({ kind: 'later', afterMs: 1_000 });
  expect(world.store.status).toBe('queued');
  expect(world.carrier.legs).toHaveLength(0);
});

test('a dial that is ready within a second of its claim asks Postgres no second time', async () => {
  const world = new DriveWorld();
  world.carrier.connectMs = DIAL_PERMIT_MS - 1;
  void world.drive();
  await pass(DIAL_PERMIT_MS);
  expect(world.carrier.legs).toHaveLength(1);
  expect(world.store.asked).not.toContain('reclaim');
});

test('a carrier that needs longer asks again, and dials', async () => {
  const world = new DriveWorld();
  world.carrier.connectMs = 20_000;
  void world.drive();
  await pass(20_000);
  expect(world.carrier.legs).toHaveLength(1);
  expect(world.store.asked.filter((verb) => verb === 'reclaim')).toHaveLength(1);
});

describe('a call that was claimed before the pause and not dialed', () => {
  test('stays claimed for as long as the pause lasts, and is dialed once it is over', async () => {
    const { world, driving } = await pausedBeforeDial();
    await pass(HOUR_MS);
    expect(world.carrier.legs).toHaveLength(0);
    expect(world.store.settlements).toHaveLength(0);
    world.store.paused = false;
    await pass(1_000);
    expect(world.carrier.legs).toHaveLength(1);
    world.leg.emit({ kind: 'answered' });
    await pass(5_000);
    world.leg.end({ outcome: 'completed', by: 'callee' });
    await driving;
    expect(world.settlement).toMatchObject({ reason: 'callee_hangup', neverDialled: false });
    expect(world.conversation).toMatchObject({ opened: 1, answered: 1, finished: 1 });
  });

  test('rings for its whole ring timeout afterwards', async () => {
    const { world, driving } = await pausedBeforeDial();
    await pass(HOUR_MS);
    world.store.paused = false;
    await pass(1_000);
    await pass(30_000);
    expect(world.leg.hangUps).toBe(0);
    await pass(40_000);
    expect(world.leg.hangUps).toBe(1);
    await driving;
  });

  test('ends cancelled if its end is requested', async () => {
    const { world, driving } = await pausedBeforeDial();
    world.store.endRequested = true;
    await pass(1_000);
    await driving;
    expect(world.settlement).toMatchObject({ reason: 'cancelled', neverDialled: true, charge: { costMicros: 0n } });
  });

  test('ends queue_expired if its time in the queue is over', async () => {
    const { world, driving } = await pausedBeforeDial();
    await pass(LEASE_MS);
    world.store.queueExpired = true;
    await pass(1_000);
    await driving;
    expect(world.settlement).toMatchObject({ reason: 'queue_expired', neverDialled: true });
  });

  test('is neither dialed nor written here if another worker takes it over', async () => {
    const { world, driving } = await pausedBeforeDial();
    world.store.takeAway();
    world.store.paused = false;
    await pass(1_000);
    await driving;
    expect(world.carrier.legs).toHaveLength(0);
    expect(world.store.settlements).toHaveLength(0);
  });

  test('is settled by its process if that process ends', async () => {
    const { world, driving } = await pausedBeforeDial();
    world.driver.hangUpAll();
    await pass(0);
    await driving;
    expect(world.settlement).toMatchObject({ reason: 'worker_lost', neverDialled: true });
    await pass(1_000);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('is settled if it is hung up during the second claim, even if the carrier never reports that the leg is gone', async () => {
    const world = new DriveWorld({ maxDurationSeconds: 60, ringTimeoutSeconds: 30 });
    world.carrier.dial = (request) => {
      setTimeout(() => void request.awaitDialPermit(), 1_000);
      const leg = new FakeLeg(request);
      leg.confirmsAfterMs = null;
      return leg;
    };
    world.store.before = (verb) => verb === 'reclaim' && world.driver.hangUpAll();
    const driving = world.drive();
    await pass(HOUR_MS);
    expect(world.settlement).toMatchObject({ reason: 'worker_lost', neverDialled: true });
    await driving;
  });

  test('is not dialed while Postgres is away, and is lost with its lease', async () => {
    const { world, driving } = await pausedBeforeDial();
    world.store.paused = false;
    world.store.away = true;
    await pass(LEASE_MS - 1_000);
    expect(world.carrier.legs).toHaveLength(0);
    world.store.away = false;
    await pass(LEASE_MS);
    await driving;
    expect(world.settlement).toMatchObject({ reason: 'worker_lost', neverDialled: true });
  });
});

describe('on trunks', () => {
  const main = trunkOf({ name: 'main' });

  test('a dial attempt waits for the end of the pause, and then begins under the same number', async () => {
    const trunks = new TrunkWorld();
    const world = new DriveWorld({ trunks });
    const { leg } = await world.dial();
    trunks.paused = true;
    world.store.paused = true;
    const begun = leg.request.beginAttempt(main, {});
    await pass(HOUR_MS);
    expect(trunks.written).toEqual([]);
    trunks.paused = false;
    world.store.paused = false;
    await pass(1_000);
    expect(await begun).toBe('begun');
    expect(trunks.written).toEqual(['main 1']);
  });

  test('a dial attempt that began before the pause continues: its challenge is answered however late it comes', async () => {
    const trunks = new TrunkWorld();
    const world = new DriveWorld({ trunks });
    const { leg } = await world.dial();
    await leg.request.beginAttempt(main, {});
    expect(leg.request.mayDial()).toBe(true);
    world.store.paused = true;
    await pass(DIAL_PERMIT_MS * 5);
    expect(leg.request.mayDial()).toBe(true);
  });

  test('the next dial attempt of a call is a new dial', async () => {
    const trunks = new TrunkWorld();
    const world = new DriveWorld({ trunks });
    const { leg } = await world.dial();
    await leg.request.beginAttempt(main, {});
    expect(leg.request.mayDial()).toBe(true);
    await leg.request.beginAttempt(main, {});
    await pass(DIAL_PERMIT_MS);
    expect(leg.request.mayDial()).toBe(false);
    expect(await leg.request.awaitDialPermit()).toBe(true);
    expect(leg.request.mayDial()).toBe(true);
  });

  test('the end of a waiting call refuses its dial attempt', async () => {
    const trunks = new TrunkWorld();
    const world = new DriveWorld({ trunks });
    const { leg } = await world.dial();
    leg.confirmsAfterMs = null;
    trunks.paused = true;
    world.store.paused = true;
    const begun = leg.request.beginAttempt(main, {});
    await pass(5_000);
    world.store.endRequested = true;
    world.driver.endRequested(callId);
    await pass(1_000);
    expect(await begun).toBe('refused');
  });
});
