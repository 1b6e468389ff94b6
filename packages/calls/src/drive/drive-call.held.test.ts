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

const GIVEN_BACK = { reason: 'cancelled', neverDialled: true, givesBack: true, charge: { costMicros: 0n } };

describe('a campaign that is paused', () => {
  test('ends a queued call without a dial, and calls its contact again', async () => {
    const world = new DriveWorld();
    world.store.campaignPaused = true;
    expect(await world.drive()).toEqual({ kind: 'done' });
    expect(world.carrier.legs).toHaveLength(0);
    expect(world.settlement).toMatchObject(GIVEN_BACK);
    expect(world.releases).toHaveLength(1);
  });

  test('after the claim lets no dial begin more than a second later: the call asks again, and is returned', async () => {
    const world = new DriveWorld();
    world.carrier.connectMs = DIAL_PERMIT_MS;
    const driving = world.drive();
    await pass(0);
    world.store.campaignPaused = true;
    await pass(DIAL_PERMIT_MS);
    await driving;
    expect(world.carrier.legs).toHaveLength(0);
    expect(world.settlement).toMatchObject(GIVEN_BACK);
  });

  test('returns no call of which something was sent to a trunk', async () => {
    const trunks = new TrunkWorld();
    const world = new DriveWorld({ trunks });
    world.carrier.writeAheadDial = true;
    const driving = world.drive();
    await pass(0);
    const [leg] = world.carrier.legs;
    if (!leg) throw new Error('it is being dialed');
    expect(leg.request.mayDial()).toBe(true);
    trunks.paused = true;
    world.store.campaignPaused = true;
    expect(await leg.request.beginAttempt(trunkOf({ name: 'spare' }), {})).toBe('refused');
    leg.end({ outcome: 'cancelled', by: 'us' });
    await driving;
    expect(world.settlement).toMatchObject({ reason: 'hung_up_by_api', neverDialled: false });
    expect(world.settlement).not.toHaveProperty('givesBack');
  });

  test('does not end a call that rings', async () => {
    const world = new DriveWorld();
    const { leg, driving } = await world.answer();
    world.store.campaignPaused = true;
    await pass(10_000);
    expect(leg.hangUps).toBe(0);
    leg.end({ outcome: 'completed', by: 'callee' });
    await driving;
    expect(world.settlement).toMatchObject({ reason: 'callee_hangup' });
  });
});
