import { micros, type UsageEntry } from '@outdial/contracts';
import { createLogger } from '@outdial/kernel';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DriveWorld, pass } from '../../test/drive-world.ts';
import { LEASE_MS, LEASE_RENEWAL_MS } from '../lease.ts';
import { takeOverCalls } from '../reconcile/take-over-calls.ts';
import { CONDUCTED, reportOf, usageOf } from '../testing/conducted-calls.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const use = (world: DriveWorld, entries: readonly UsageEntry[]) => world.conversation.emit({ kind: 'usage', entries });

function takeOver(world: DriveWorld): Promise<number> {
  const logger = createLogger({ name: 'test', level: 'silent' });
  return takeOverCalls({ ...world.deps, logger, workerId: 'worker-2' }, { limit: 10 });
}

describe('a conducted call', () => {
  test('is charged for talk and for what its models used, each unit summed', async () => {
    const world = new DriveWorld({ conducted: CONDUCTED });
    const { leg, driving } = await world.answer();
    use(world, usageOf(1.5, 300, 40));
    await pass(30_000);
    use(world, usageOf(2.25, 200, 0));
    leg.end({ outcome: 'completed' });
    await pass(1_000);
    await driving;
    const report = reportOf(usageOf(3.75, 500, 40));
    expect(world.settlement.usage).toEqual(report);
    expect(report.costMicros).toBe(482n + 1_000n);
    expect(world.settlement.charge.costMicros).toBe(12_000n + report.costMicros);
  });

  test('without an answer costs nothing, and what its models used is stored', async () => {
    const world = new DriveWorld({ conducted: CONDUCTED, ringTimeoutSeconds: 5 });
    const { driving } = await world.dial();
    use(world, usageOf(0, 500, 0));
    await pass(60_000);
    await driving;
    expect(world.settlement).toMatchObject({
      answeredAtMs: null,
      charge: { costMicros: 0n },
      usage: reportOf(usageOf(0, 500, 0)),
    });
  });

  test('ends funds_exhausted as soon as models have spent the hold, and costs no more', async () => {
    const world = new DriveWorld({ conducted: CONDUCTED, fundsMicros: micros(0) });
    const { driving } = await world.answer();
    await pass(10_000);
    use(world, usageOf(0, 20_000, 0));
    await pass(1_000);
    await driving;
    const { reason, charge, answeredAtMs, endedAtMs } = world.settlement;
    expect(reason).toBe('funds_exhausted');
    expect(endedAtMs - (answeredAtMs ?? 0)).toBe(10_000);
    expect(charge.costMicros).toBe(world.store.holdMicros);
  });

  test('that is lost is charged what its last renewal stored, once', async () => {
    const world = new DriveWorld({ conducted: CONDUCTED });
    await world.answer();
    use(world, usageOf(3, 500, 0));
    await pass(LEASE_RENEWAL_MS + 1_000);
    use(world, usageOf(9, 9_000, 0));
    // From now on nothing of this worker arrives.
    world.store.before = () => {
      throw new Error('the worker is cut off');
    };
    await pass(LEASE_MS + 60_000);
    world.store.before = () => undefined;
    await takeOver(world);
    await pass(60_000);
    expect(world.store.settlements).toHaveLength(1);
    expect(world.settlement).toMatchObject({ reason: 'worker_lost' });
    const talk = BigInt(Math.ceil(world.settlement.charge.billableSeconds / 60)) * 12_000n;
    expect(world.settlement.charge.costMicros).toBe(talk + reportOf(usageOf(3, 500, 0)).costMicros);
  });
});

test('a scripted call has no usage, and its renewals carry none', async () => {
  const world = new DriveWorld();
  const renewals = vi.spyOn(world.store, 'renewLease');
  const { leg, driving } = await world.answer();
  use(world, usageOf(1, 1, 1));
  await pass(LEASE_RENEWAL_MS + 1_000);
  leg.end({ outcome: 'completed' });
  await pass(1_000);
  await driving;
  expect(renewals.mock.calls.every(([input]) => !('usage' in input))).toBe(true);
  expect(world.settlement).not.toHaveProperty('usage');
});

test('a renewal carries usage until it is stored, and again only when there is more', async () => {
  const world = new DriveWorld({ conducted: CONDUCTED });
  const renewals = vi.spyOn(world.store, 'renewLease');
  const { leg, driving } = await world.answer();
  use(world, usageOf(0, 10, 0));
  world.store.away = true;
  await pass(LEASE_RENEWAL_MS + 900);
  world.store.away = false;
  await pass(2 * LEASE_RENEWAL_MS);
  use(world, usageOf(0, 5, 0));
  await pass(LEASE_RENEWAL_MS + 900);
  leg.end({ outcome: 'completed' });
  await pass(1_000);
  await driving;
  const carried = renewals.mock.calls.map(([{ usage }]) => usage?.entries[0]?.quantity ?? null);
  expect(carried.filter((quantity) => quantity === 15)).toHaveLength(1);
  expect(carried[0]).toBe(10);
  expect(carried[1]).toBe(10);
  expect(carried.slice(2).filter((quantity) => quantity === 10)).toEqual([]);
});

type Step =
  | { readonly kind: 'use'; readonly tokens: number }
  | { readonly kind: 'pass'; readonly ms: number }
  | { readonly kind: 'away' | 'back' | 'crash' | 'hang_up' };

const steps = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant('use' as const), tokens: fc.integer({ min: 1, max: 5_000 }) }),
    },
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 100, max: 40_000 }) }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('away' as const, 'back' as const, 'crash' as const) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('hang_up' as const) }) },
  ),
  { maxLength: 30 },
);

test(
  'whatever is lost, a call is charged once, at no more than its hold, and for reported usage alone',
  { timeout: 120_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 0, max: 90_000 }), async (schedule, funds) => {
        const world = new DriveWorld({ conducted: CONDUCTED, fundsMicros: micros(funds) });
        const before = world.store.balanceMicros;
        const { leg, driving } = await world.answer();
        let reported = 0;
        for (const step of schedule) await act(world, leg, step, (tokens) => (reported += tokens));
        world.store.away = false;
        world.store.before = () => undefined;
        leg.end({ outcome: 'completed' });
        await pass(LEASE_MS + 120_000);
        await takeOver(world);
        await pass(200_000);
        await driving;
        expect(world.store.settlements).toHaveLength(1);
        const { charge } = world.settlement;
        expect(before - world.store.balanceMicros).toBe(charge.costMicros);
        expect(charge.costMicros).toBeLessThanOrEqual(world.store.holdMicros);
        const talk = Math.ceil(charge.billableSeconds / 60) * 12_000;
        expect(Number(charge.costMicros)).toBeLessThanOrEqual(talk + reported * 2);
        const stored = world.store.usage.reduce((sum, { quantity }) => sum + quantity, 0);
        expect(stored).toBeLessThanOrEqual(reported);
      }),
      { numRuns: 120 },
    );
  },
);

async function act(
  world: DriveWorld,
  leg: DriveWorld['leg'],
  step: Step,
  note: (tokens: number) => void,
): Promise<void> {
  switch (step.kind) {
    case 'use':
      note(step.tokens);
      return use(world, usageOf(0, step.tokens, 0));
    case 'pass':
      return pass(step.ms);
    case 'away':
      world.store.away = true;
      return;
    case 'back':
      world.store.away = false;
      return;
    case 'crash':
      world.store.takeAway();
      return;
    case 'hang_up':
      return leg.end({ outcome: 'completed' });
  }
}
