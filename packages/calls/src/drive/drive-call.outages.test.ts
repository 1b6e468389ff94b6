import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { accountId, DriveWorld, pass, reservationId } from '../../test/drive-world.ts';
import { LEASE_MARGIN_MS, LEASE_MS } from './lease.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('an outage of Postgres', () => {
  test('at the end: the call is settled once Postgres is back, and charged for its talk only', async () => {
    const world = new DriveWorld();
    const { leg, driving } = await world.answer();
    await pass(30_000);
    world.store.away = true;
    leg.end({ outcome: 'completed' });
    await pass(300_000);
    expect(world.store.settlements).toHaveLength(0);
    world.store.away = false;
    await pass(6_000);
    await driving;
    expect(world.settlement).toMatchObject({ reason: 'callee_hangup', charge: { billableSeconds: 60 } });
    expect(world.releases).toHaveLength(1);
  });

  test('from the answer until after the end: the settlement includes the time of the answer', async () => {
    const world = new DriveWorld();
    const { leg, driving } = await world.dial();
    world.store.away = true;
    leg.emit({ kind: 'ringing', sipCode: 180 });
    leg.emit({ kind: 'answered' });
    await pass(20_000);
    leg.end({ outcome: 'completed' });
    await pass(10_000);
    world.store.away = false;
    await pass(6_000);
    await driving;
    expect(world.store.advances).toEqual([]);
    const { answeredAtMs, endedAtMs } = world.settlement;
    expect(endedAtMs - (answeredAtMs ?? 0)).toBe(20_000);
  });

  test('for a while: the events during the outage are written in their order', async () => {
    const world = new DriveWorld();
    const { leg, driving } = await world.dial();
    world.store.away = true;
    leg.emit({ kind: 'ringing', sipCode: 180 });
    leg.emit({ kind: 'answered' });
    await pass(20_000);
    world.store.away = false;
    await pass(6_000);
    expect(world.store.advances).toEqual(['ringing', 'in_progress']);
    leg.end({ outcome: 'completed' });
    await driving;
  });

  test('for longer than the lease: hung up before the lease expires, billed to the last renewal', async () => {
    const world = new DriveWorld();
    const { leg, driving } = await world.answer();
    await pass(100_000);
    world.store.away = true;
    const awayAtMs = Date.now();
    while (leg.hangUps === 0) await pass(1_000);
    // The last renewal was sent up to fifteen seconds before.
    expect(Date.now() - awayAtMs).toBeLessThan(LEASE_MS);
    expect(Date.now() - awayAtMs).toBeGreaterThanOrEqual(LEASE_MS - LEASE_MARGIN_MS - 15_000);
    world.store.away = false;
    await pass(6_000);
    await driving;
    const { reason, answeredAtMs, endedAtMs } = world.settlement;
    expect(reason).toBe('worker_lost');
    expect(endedAtMs - (answeredAtMs ?? 0)).toBeLessThanOrEqual(100_000);
  });

  test('that loses the answer to the settlement: the call is settled exactly once', async () => {
    const world = new DriveWorld();
    const { leg, driving } = await world.answer();
    let lost = false;
    const settle = world.store.settle.bind(world.store);
    // As in Postgres: a repeated settlement of the same epoch returns `settled` again.
    vi.spyOn(world.store, 'settle').mockImplementation(async (settlement) => {
      if (lost) return { kind: 'settled', release: { callId: settlement.callId, accountId, reservationId } };
      lost = true;
      await settle(settlement);
      throw new Error('connection reset');
    });
    leg.end({ outcome: 'completed' });
    await pass(200);
    await driving;
    expect(world.store.settlements).toHaveLength(1);
    expect(world.releases).toHaveLength(1);
  });
});

describe('an outage of Redis', () => {
  test('and of Postgres for longer than the lease: hung up, and settled without Redis once Postgres is back', async () => {
    const world = new DriveWorld();
    const { leg, driving } = await world.answer();
    world.gate = 'away';
    world.store.away = true;
    while (leg.hangUps === 0) await pass(1_000);
    world.store.away = false;
    await pass(6_000);
    await driving;
    expect(world.settlement).toMatchObject({ reason: 'worker_lost', charge: { billableSeconds: 60 } });
    expect(world.releases).toHaveLength(0);
    expect(world.driver.liveCalls()).toBe(0);
  });

  test('at the release: the call has ended anyway', async () => {
    const world = new DriveWorld();
    const { leg, driving } = await world.answer();
    world.gate = 'away';
    leg.end({ outcome: 'completed' });
    await driving;
    expect(world.settlement.reason).toBe('callee_hangup');
  });

  test.each(['away', 'closed'] as const)(
    'with the gate %s: the talk continues, and the hold grows once the gate is open',
    async (gate) => {
      const world = new DriveWorld();
      const { leg, driving } = await world.answer();
      world.gate = gate;
      await pass(110_000);
      world.gate = 'open';
      await pass(60_000);
      expect(leg.hangUps).toBe(0);
      leg.end({ outcome: 'completed' });
      await driving;
      expect(world.settlement.charge.costMicros).toBe(36_000n);
    },
  );

  test('until the hold is exhausted: the call ends and costs no more than the hold', async () => {
    const world = new DriveWorld();
    const { driving } = await world.answer();
    world.gate = 'away';
    await pass(120_000);
    await driving;
    expect(world.settlement).toMatchObject({ reason: 'funds_exhausted', charge: { costMicros: 24_000n } });
  });

  test('a grant that Postgres finds stale closes the gate and is not used', async () => {
    const world = new DriveWorld();
    const { driving } = await world.answer();
    world.store.generation = 2;
    await pass(120_000);
    await driving;
    expect(world.gateCloses).toBeGreaterThan(0);
    expect(world.store.holdMicros).toBe(24_000n);
    expect(world.settlement).toMatchObject({ reason: 'funds_exhausted', charge: { costMicros: 24_000n } });
  });
});
