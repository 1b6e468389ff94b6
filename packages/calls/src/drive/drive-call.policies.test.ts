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

describe.each([
  ['closes the hours of the callee', 'hoursClosed', 'outside_calling_window'],
  ['caps its number', 'capped', 'frequency_capped'],
] as const)('a calling policy that %s', (_name, state, reason) => {
  test(`ends a queued call \`${reason}\`, without a dial or a charge`, async () => {
    const world = new DriveWorld();
    world.store[state] = true;
    expect(await world.drive()).toEqual({ kind: 'done' });
    expect(world.carrier.legs).toHaveLength(0);
    expect(world.settlement).toMatchObject({ reason, neverDialled: true, ...FREE });
    expect(world.releases).toHaveLength(1);
  });

  test('after the claim lets no dial begin more than a second later: the call asks again, and ends', async () => {
    const world = new DriveWorld();
    world.carrier.connectMs = DIAL_PERMIT_MS;
    const driving = world.drive();
    await pass(0);
    world.store[state] = true;
    await pass(DIAL_PERMIT_MS);
    await driving;
    expect(world.carrier.legs).toHaveLength(0);
    expect(world.settlement).toMatchObject({ reason, neverDialled: true, sipCode: null, ...FREE });
  });

  test('does not end a call that rings', async () => {
    const world = new DriveWorld();
    const { leg, driving } = await world.answer();
    world.store[state] = true;
    await pass(10_000);
    expect(leg.hangUps).toBe(0);
    leg.end({ outcome: 'completed', by: 'callee' });
    await driving;
    expect(world.settlement).toMatchObject({ reason: 'callee_hangup' });
  });

  test('lets no dial attempt on a trunk begin: nothing is sent, and the call ends', async () => {
    const trunks = new TrunkWorld();
    const world = new DriveWorld({ trunks });
    world.carrier.writeAheadDial = true;
    // As `begin_attempts` answers, and then `reclaim`.
    trunks.beforeWrite = () => {
      trunks.paused = true;
      world.store[state] = true;
    };
    await world.drive();
    expect([trunks.written, world.carrier.legs]).toEqual([[], []]);
    expect(world.settlement).toMatchObject({ reason, neverDialled: true, ...FREE });
  });
});

test('hours that close between two dial attempts end the call without a charge, although the first was sent', async () => {
  const trunks = new TrunkWorld();
  const world = new DriveWorld({ trunks });
  const { leg, driving } = await world.dial();
  leg.confirmsAfterMs = null;
  expect(await leg.request.beginAttempt(trunkOf({ name: 'main' }), {})).toBe('begun');
  trunks.paused = true;
  world.store.hoursClosed = true;
  expect(await leg.request.beginAttempt(trunkOf({ name: 'spare' }), {})).toBe('refused');
  leg.end({ outcome: 'not_dialled', by: 'us' });
  await driving;
  expect(trunks.written).toEqual(['main 1']);
  expect(world.settlement).toMatchObject({ reason: 'outside_calling_window', neverDialled: false, ...FREE });
});
