import { ENDED_REASONS, micros } from '@outdial/contracts';
import { createLogger } from '@outdial/kernel';
import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { callId, DriveWorld, pass } from '../../test/drive-world.ts';
import { takeOverCalls } from '../reconcile/take-over-calls.ts';
import { DIAL_PERMIT_MS } from './dial-window.ts';
import { LEASE_MS } from '../lease.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const EVENTS = [
  'ring',
  'answer',
  'callee_hangs_up',
  'busy',
  'media_lost',
  'agent_hangs_up',
  'end_requested',
  'end_announced',
  'postgres_away',
  'postgres_back',
  'redis_away',
  'redis_back',
  'taken_away',
  'job_again',
  'shutdown',
  'paused',
  'resumed',
] as const;
type RandomEvent = (typeof EVENTS)[number];

interface Scenario {
  readonly maxDurationSeconds: number;
  readonly funds: number;
  readonly confirmsAfterMs: number;
  readonly connectMs: number;
  readonly events: readonly { readonly afterMs: number; readonly event: RandomEvent }[];
}

const scenarios: fc.Arbitrary<Scenario> = fc.record({
  maxDurationSeconds: fc.integer({ min: 5, max: 600 }),
  funds: fc.integer({ min: 0, max: 60_000 }),
  confirmsAfterMs: fc.constantFrom(0, 0, 20, 500, 32_000),
  connectMs: fc.constantFrom(0, 0, 10, 5_000, 55_000),
  events: fc.array(
    fc.record({
      // Most events happen at the same moment or shortly after each other.
      afterMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 90_000 })),
      event: fc.constantFrom(...EVENTS),
    }),
    { maxLength: 14 },
  ),
});

/** Applies an event of the test to the call; some have no effect in the current state. */
function applyEvent(world: DriveWorld, event: RandomEvent): void {
  const leg = world.carrier.legs.at(-1);
  switch (event) {
    case 'ring':
      return leg?.emit({ kind: 'ringing', sipCode: 180 });
    case 'answer':
      return leg?.emit({ kind: 'answered' });
    case 'callee_hangs_up':
      return leg?.answered ? leg.end({ outcome: 'completed', by: 'callee' }) : leg?.end({ outcome: 'declined' });
    case 'busy':
      return leg?.answered ? undefined : leg?.end({ outcome: 'busy', sipCode: 486 });
    case 'media_lost':
      return leg?.answered ? leg.end({ outcome: 'no_audio', by: 'carrier' }) : undefined;
    case 'agent_hangs_up':
      return leg?.answered ? world.conversation.emit({ kind: 'hang_up', reason: 'agent_hangup' }) : undefined;
    case 'end_requested':
      world.store.endRequested = true;
      return;
    case 'end_announced':
      return world.driver.endRequested(callId);
    case 'postgres_away':
      world.store.away = true;
      return;
    case 'postgres_back':
      world.store.away = false;
      return;
    case 'redis_away':
      world.gate = 'away';
      return;
    case 'redis_back':
      world.gate = 'open';
      return;
    case 'taken_away':
      if (world.store.status === 'dialing') world.store.takeAway();
      return;
    case 'job_again':
      world.drive().catch(() => undefined);
      return;
    case 'shutdown':
      return world.driver.hangUpAll();
    case 'paused':
      world.store.paused = true;
      return;
    case 'resumed':
      world.store.paused = false;
      return;
  }
}

/** Ends all outages, lets time pass, and reconciles. */
async function settleAll(world: DriveWorld): Promise<void> {
  world.store.away = false;
  world.store.paused = false;
  world.gate = 'open';
  const deps = { ...world.deps, logger: createLogger({ name: 'test', level: 'silent' }), workerId: 'worker-2' };
  for (let round = 0; round < 60 && world.store.status !== 'ended'; round += 1) {
    await pass(LEASE_MS);
    await takeOverCalls(deps, { limit: 1 });
  }
  await pass(LEASE_MS);
}

test(
  'in any order of events a call is dialed at most once and never while paused, and settled once, within its hold, with its leg gone',
  { timeout: 120_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(scenarios, async (scenario) => {
        const world = new DriveWorld({
          maxDurationSeconds: scenario.maxDurationSeconds,
          fundsMicros: micros(scenario.funds),
        });
        world.carrier.confirmsAfterMs = scenario.confirmsAfterMs;
        world.carrier.connectMs = scenario.connectMs;
        let settledWithLiveLeg = false;
        let fencedDriver = false;
        let pausedAtMs = Infinity;
        let dialledWhilePaused = false;
        world.carrier.onDialled = () => (dialledWhilePaused ||= performance.now() > pausedAtMs + DIAL_PERMIT_MS);
        world.store.before = (verb) => {
          // A worker that ends an orphan has the carrier's confirmation.
          const byDriver = !fencedDriver && world.carrier.orphansEnded.length === 0;
          if (verb === 'settle' && byDriver && world.carrier.legs.some((leg) => !leg.ended)) settledWithLiveLeg = true;
        };
        world.drive().catch(() => undefined);
        for (const { afterMs, event } of scenario.events) {
          await pass(afterMs);
          // From here on another process owns the call, and ends the leg by its dialog.
          if (event === 'taken_away' && world.store.status === 'dialing') fencedDriver = true;
          applyEvent(world, event);
          if (!world.store.paused) pausedAtMs = Infinity;
          else pausedAtMs = Math.min(pausedAtMs, performance.now());
        }
        pausedAtMs = Infinity;
        await settleAll(world);

        const { settlement, store, carrier } = world;
        expect(carrier.legs.length).toBeLessThanOrEqual(1);
        expect(carrier.legs.every((leg) => leg.ended)).toBe(true);
        expect(settledWithLiveLeg).toBe(false);
        expect(dialledWhilePaused).toBe(false);
        const { reason, answeredAtMs, endedAtMs, charge } = settlement;
        expect(charge.costMicros).toBeLessThanOrEqual(store.holdMicros);
        const talkMs = answeredAtMs === null ? 0 : endedAtMs - answeredAtMs;
        expect(talkMs).toBeGreaterThanOrEqual(0);
        expect(talkMs).toBeLessThanOrEqual(scenario.maxDurationSeconds * 1_000);
        // Whole minutes at 12,000 micros, counted from the answer.
        const minutes = answeredAtMs === null ? 0 : Math.max(1, Math.ceil(talkMs / 60_000));
        const full = ENDED_REASONS[reason].billable ? BigInt(minutes) * 12_000n : 0n;
        expect(charge.costMicros).toBe(full < store.holdMicros ? full : store.holdMicros);
        expect(world.driver.liveCalls()).toBe(0);
        expect(vi.getTimerCount()).toBe(0);
      }),
      { numRuns: 1_500 },
    );
  },
);
