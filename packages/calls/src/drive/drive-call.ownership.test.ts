import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { callId, DriveWorld, pass } from '../../test/drive-world.ts';
import type { StoreVerb } from '../../test/drive-store-model.ts';
import { LEASE_MARGIN_MS, LEASE_MS } from './lease.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('at most one dial', () => {
  test.each(['present', 'away'] as const)('with its dial mark %s nothing is dialed', async (marks) => {
    const world = new DriveWorld();
    world.marks = marks;
    const driving = world.drive();
    await pass(LEASE_MS - 1);
    expect(world.store.settlements).toHaveLength(0);
    await pass(1);
    await driving;
    expect(world.carrier.legs).toHaveLength(0);
    expect(world.settlement).toMatchObject({
      reason: 'reconciled_unknown',
      neverDialled: true,
      charge: { costMicros: 0n },
    });
    expect(world.releases).toHaveLength(1);
  });

  test('a carrier that is ready too late sends nothing, by either clock', async () => {
    for (const late of ['monotonic', 'wall'] as const) {
      const world = new DriveWorld();
      world.carrier.connectMs = late === 'monotonic' ? LEASE_MS - LEASE_MARGIN_MS : 1_000;
      const driving = world.drive();
      await pass(0);
      if (late === 'wall') vi.setSystemTime(Date.now() + LEASE_MS);
      await pass(world.carrier.connectMs);
      await driving;
      expect(world.carrier.legs).toHaveLength(0);
      expect(world.settlement).toMatchObject({ reason: 'worker_lost', neverDialled: true, charge: { costMicros: 0n } });
    }
  });

  test('a renewed lease does not extend the permit of the claim', async () => {
    const world = new DriveWorld();
    world.carrier.connectMs = LEASE_MS;
    const driving = world.drive();
    await pass(LEASE_MS);
    await driving;
    expect(world.store.asked.filter((verb) => verb === 'renew').length).toBeGreaterThan(1);
    expect(world.carrier.legs).toHaveLength(0);
  });

  test('a claim with an unknown outcome dials nothing, here or later', async () => {
    const world = new DriveWorld();
    world.store.before = (verb) => {
      // The claim is written, and its answer is lost.
      if (verb === 'claim')
        Object.assign(world.store, {
          status: 'dialing',
          epoch: 1,
          leaseExpiresAtMs: Date.now() + LEASE_MS,
          away: true,
        });
    };
    await expect(world.drive()).rejects.toThrow('Postgres is away');
    world.store.before = () => undefined;
    world.store.away = false;
    expect(await world.drive()).toMatchObject({ kind: 'later' });
    await pass(LEASE_MS + 240_000);
    await world.drive();
    expect(world.carrier.legs).toHaveLength(0);
    expect(world.settlement.reason).toBe('worker_lost');
  });

  test('a carrier that cannot dial at all ends the call carrier_unavailable', async () => {
    const world = new DriveWorld();
    world.carrier.refusesToDial = true;
    await world.drive();
    expect(world.settlement).toMatchObject({ reason: 'carrier_unavailable', charge: { costMicros: 0n } });
  });
});

describe('a call that another worker owns', () => {
  test.each<StoreVerb>(['dialog', 'advance', 'answered_by', 'renew', 'enlarge'])(
    'is hung up at once when %s shows it, and nothing more is written',
    async (verb) => {
      const world = new DriveWorld();
      world.carrier.confirmsAfterMs = 1_000;
      let taken = false;
      world.store.before = (asked) => {
        if (asked !== verb || taken) return;
        taken = true;
        world.store.takeAway();
      };
      const driving = world.drive();
      await pass(0);
      world.leg.emit({ kind: 'ringing', sipCode: 180 });
      world.leg.emit({ kind: 'answered' });
      world.conversation.emit({ kind: 'answered_by', answeredBy: 'human' });
      await pass(61_000);
      expect(taken).toBe(true);
      const askedUntilFenced = world.store.asked.length;
      await pass(2_000);
      expect(await driving).toEqual({ kind: 'done' });
      expect(world.leg.hangUps).toBe(1);
      expect(world.store.asked.length).toBe(askedUntilFenced);
      expect(world.store.asked).not.toContain('settle');
      expect(world.store.settlements).toHaveLength(0);
      expect(world.releases).toHaveLength(0);
      expect(world.conversation.finished).toBe(1);
    },
  );

  test('is not assumed when an end is announced again during the settlement', async () => {
    const warnings: string[] = [];
    const world = new DriveWorld({ warnings });
    const { driving } = await world.answer();
    world.store.endRequested = true;
    const settle = world.store.settle.bind(world.store);
    vi.spyOn(world.store, 'settle').mockImplementation(async (settlement) => {
      const outcome = await settle(settlement);
      world.driver.endRequested(callId);
      await pass(0);
      return outcome;
    });
    world.driver.endRequested(callId);
    await driving;
    expect(world.settlement.reason).toBe('hung_up_by_api');
    expect(world.store.asked.at(-1)).toBe('renew');
    expect(warnings).toEqual([]);
  });

  test('is not released when the settlement shows it, which is logged once', async () => {
    const warnings: string[] = [];
    const world = new DriveWorld({ warnings });
    const { leg, driving } = await world.answer();
    world.store.before = (asked) => asked === 'settle' && world.store.takeAway();
    leg.end({ outcome: 'completed' });
    await driving;
    expect(world.store.settlements).toHaveLength(0);
    expect(world.releases).toHaveLength(0);
    expect(warnings).toEqual(['call owned by another worker']);
  });

  test('is not settled when that shows while waiting out an earlier lease', async () => {
    const world = new DriveWorld();
    world.marks = 'present';
    const driving = world.drive();
    await pass(1_000);
    world.store.takeAway();
    await pass(16_000);
    expect(await driving).toEqual({ kind: 'done' });
    expect(world.store.settlements).toHaveLength(0);
  });
});
