import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DriveWorld, pass } from '../../test/drive-world.ts';
import { TrunkWorld } from '../../test/trunk-world.ts';
import { trunkOf } from '../testing/trunks/trunk-of.ts';
import { DIAL_PERMIT_MS } from './dial-window.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const FREE = { charge: { billableSeconds: 0, costMicros: 0n } };
const main = trunkOf({ name: 'main' });
const spare = trunkOf({ name: 'spare' });

test('a queued call whose number was suppressed ends `suppressed`, without a dial or a charge', async () => {
  const world = new DriveWorld();
  world.store.suppressed = true;
  expect(await world.drive()).toEqual({ kind: 'done' });
  expect(world.carrier.legs).toHaveLength(0);
  expect(world.settlement).toMatchObject({ reason: 'suppressed', neverDialled: true, ...FREE });
  expect(world.releases).toHaveLength(1);
});

describe('a number that is suppressed after the claim', () => {
  test('is not dialed more than a second later: the call asks again, and ends `suppressed`', async () => {
    const world = new DriveWorld();
    world.carrier.connectMs = DIAL_PERMIT_MS;
    const driving = world.drive();
    await pass(0);
    world.store.suppressed = true;
    await pass(DIAL_PERMIT_MS);
    await driving;
    expect(world.carrier.legs).toHaveLength(0);
    expect(world.settlement).toMatchObject({ reason: 'suppressed', neverDialled: true, sipCode: null, ...FREE });
  });

  test('ends the call while dialing is paused, however long the pause lasts', async () => {
    const world = new DriveWorld();
    world.carrier.connectMs = DIAL_PERMIT_MS;
    const driving = world.drive();
    await pass(0);
    world.store.paused = true;
    await pass(60_000);
    expect(world.store.settlements).toHaveLength(0);
    world.store.suppressed = true;
    await pass(1_000);
    await driving;
    expect(world.settlement).toMatchObject({ reason: 'suppressed', neverDialled: true, ...FREE });
  });

  test('does not end a call that rings', async () => {
    const world = new DriveWorld();
    const { leg, driving } = await world.answer();
    world.store.suppressed = true;
    await pass(10_000);
    expect(leg.hangUps).toBe(0);
    leg.end({ outcome: 'completed', by: 'callee' });
    await driving;
    expect(world.settlement).toMatchObject({ reason: 'callee_hangup' });
  });
});

/** As `begin_attempts` and `reclaim` answer once an entry is committed. */
function suppress(world: DriveWorld, trunks: TrunkWorld): void {
  trunks.paused = true;
  world.store.suppressed = true;
}

describe('on trunks', () => {
  test('the first dial attempt does not begin, nothing is sent, and the call ends `suppressed`', async () => {
    const trunks = new TrunkWorld();
    const world = new DriveWorld({ trunks });
    world.carrier.writeAheadDial = true;
    trunks.beforeWrite = () => suppress(world, trunks);
    await world.drive();
    expect([trunks.written, world.carrier.legs]).toEqual([[], []]);
    expect(world.store.asked.filter((verb) => verb === 'reclaim')).toHaveLength(1);
    expect(world.settlement).toMatchObject({ reason: 'suppressed', neverDialled: true, ...FREE });
  });

  test('a second dial attempt does not begin: the call ends `suppressed`, without a charge, although the first was sent', async () => {
    const trunks = new TrunkWorld();
    const world = new DriveWorld({ trunks });
    const { leg, driving } = await world.dial();
    leg.confirmsAfterMs = null;
    expect(await leg.request.beginAttempt(main, {})).toBe('begun');
    expect(leg.request.mayDial()).toBe(true);
    // The first trunk answers 503, and the carrier turns to the next.
    suppress(world, trunks);
    expect(await leg.request.beginAttempt(spare, {})).toBe('refused');
    expect(leg.request.mayDial()).toBe(false);
    leg.end({ outcome: 'not_dialled', by: 'us' });
    await driving;
    expect(trunks.written).toEqual(['main 1']);
    expect(world.settlement).toMatchObject({ reason: 'suppressed', neverDialled: false, answeredAtMs: null, ...FREE });
  });
});
