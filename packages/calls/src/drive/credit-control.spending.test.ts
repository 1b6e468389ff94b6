import { micros, type Micros } from '@outdial/contracts';
import { createLogger } from '@outdial/kernel';
import * as fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { SteppedClock } from '../../test/stepped-clock.ts';
import { CONDUCTED } from '../testing/conducted-calls.ts';
import { firstHoldMicros } from '../pricing.ts';
import type { Rate } from '../rate-deck.ts';
import { createCreditControl } from './credit-control.ts';
import type { EnlargeHoldOutcome } from './enlarge-hold.ts';
import { createUsageMeter } from './usage-meter.ts';

let clock = new SteppedClock();
beforeEach(() => {
  clock = new SteppedClock();
});

const logger = createLogger({ name: 'test', level: 'silent' });
/** A token costs two micros. */
const TOKENS = { component: 'llm', provider: 'openai', model: 'gpt-5-mini', unit: 'output_text_token' } as const;
const MICROS_PER_TOKEN = 2;

/** The price of a talk, in plain numbers, calculated from the rate and not by the code under test. */
function talkPrice(rate: Rate, seconds: number): number {
  let billed = rate.initialIncrementSeconds;
  while (billed < seconds) billed += rate.incrementSeconds;
  return Number(rate.connectionFeeMicros) + Math.ceil((Number(rate.pricePerMinuteMicros) * billed) / 60);
}

interface Scenario {
  readonly rate: Rate;
  readonly maxDurationSeconds: number;
  readonly estimate: number;
  readonly funds: number;
  readonly usage: readonly { readonly afterMs: number; readonly tokens: number }[];
}

const scenarios: fc.Arbitrary<Scenario> = fc.record({
  rate: fc
    .record({
      fee: fc.integer({ min: 0, max: 5_000 }),
      price: fc.integer({ min: 0, max: 20_000 }),
      increments: fc.constantFrom<[number, number]>([60, 60], [6, 6], [1, 1], [30, 6]),
    })
    .map(({ fee, price, increments: [initial, next] }) => ({
      prefix: '1',
      connectionFeeMicros: micros(fee),
      pricePerMinuteMicros: micros(price),
      initialIncrementSeconds: initial,
      incrementSeconds: next,
    })),
  maxDurationSeconds: fc.integer({ min: 5, max: 900 }),
  estimate: fc.integer({ min: 0, max: 40_000 }),
  funds: fc.integer({ min: 0, max: 300_000 }),
  usage: fc.array(
    fc.record({ afterMs: fc.integer({ min: 0, max: 40_000 }), tokens: fc.integer({ min: 1, max: 6_000 }) }),
    { maxLength: 60 },
  ),
});

interface Talk {
  readonly exhaustedAtSecond: number | null;
  readonly spent: number;
  readonly hold: number;
  readonly funds: number;
  /** What the account had left at each try, and when. */
  readonly tries: readonly { readonly atSecond: number; readonly funds: number }[];
}

/** Talks until the hold is exhausted or the longest call is over. */
async function talk({ rate, maxDurationSeconds, estimate, funds, usage }: Scenario): Promise<Talk> {
  const conducted = { ...CONDUCTED, estimateMicrosPerMinute: micros(estimate) };
  const meter = createUsageMeter(conducted, clock);
  const answeredAtMs = clock.monotonicMs();
  const firstHold = firstHoldMicros(rate, maxDurationSeconds, micros(estimate));
  const till = { funds: BigInt(funds), hold: firstHold as bigint };
  const tries: { atSecond: number; funds: number }[] = [];
  let exhaustedAtMs: number | null = null;
  const secondNow = () => (clock.monotonicMs() - answeredAtMs) / 1_000;
  const control = createCreditControl({
    price: { rate, maxDurationSeconds },
    holdMicros: firstHold,
    answeredAtMs,
    spending: () => meter.spending(),
    clock,
    logger,
    async enlarge(holdMicros: Micros): Promise<EnlargeHoldOutcome> {
      tries.push({ atSecond: secondNow(), funds: Number(till.funds) });
      const more = holdMicros - till.hold;
      if (more > till.funds) return { kind: 'denied', availableMicros: micros(till.funds) };
      till.funds -= more;
      till.hold = holdMicros;
      return { kind: 'enlarged' };
    },
    onExhausted: (atMs) => (exhaustedAtMs = atMs),
    onFenced: () => expect.fail('no other worker owns the call'),
  });
  let spent = 0;
  const isOver = () => exhaustedAtMs !== null || secondNow() >= maxDurationSeconds;
  async function pass(ms: number): Promise<void> {
    for (let left = ms; left > 0 && !isOver(); left -= 1_000) {
      await clock.turn(Math.min(left, 1_000));
      // A call that goes on is paid for until now: with what it has said, and with what its models are known to have used.
      if (!isOver()) expect(talkPrice(rate, secondNow()) + spent).toBeLessThanOrEqual(Number(control.holdMicros()));
      expect(control.holdMicros()).toBeLessThanOrEqual(till.hold);
    }
  }
  for (const { afterMs, tokens } of usage) {
    await pass(afterMs);
    if (isOver()) break;
    spent += tokens * MICROS_PER_TOKEN;
    meter.add([{ ...TOKENS, quantity: tokens }]);
    control.spent();
    await clock.turn(0);
  }
  await pass(maxDurationSeconds * 1_000);
  control.stop();
  expect(meter.spending().spentMicros).toBe(BigInt(spent));
  const exhaustedAtSecond = exhaustedAtMs === null ? null : (exhaustedAtMs - answeredAtMs) / 1_000;
  return { exhaustedAtSecond, spent, hold: Number(till.hold), funds: Number(till.funds), tries };
}

test(
  'a call goes on only while its hold covers talk and models, and is not cut short while funds suffice',
  { timeout: 120_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(scenarios, async (scenario) => {
        const { exhaustedAtSecond, spent, hold, funds, tries } = await talk(scenario);
        if (exhaustedAtSecond === null) return;
        const { rate, maxDurationSeconds } = scenario;
        expect(exhaustedAtSecond).toBeLessThan(maxDurationSeconds);
        // Neither the hold nor the account had the money to go on: the last try is at most a second before the end.
        expect(exhaustedAtSecond - (tries.at(-1)?.atSecond ?? -Infinity)).toBeLessThanOrEqual(1.001);
        const dearestPerSecond = Math.max(scenario.estimate, spent / 2) / 60;
        const talked = talkPrice(rate, Math.min(Math.floor(exhaustedAtSecond) + 1, maxDurationSeconds));
        expect(talked + spent + Math.ceil(2 * dearestPerSecond) + 2).toBeGreaterThan(hold + funds);
      }),
      { numRuns: 100 },
    );
  },
);

const FREE: Rate = {
  prefix: '1',
  connectionFeeMicros: micros(0),
  pricePerMinuteMicros: micros(0),
  initialIncrementSeconds: 1,
  incrementSeconds: 1,
};

test('spending above the estimate shortens the cover, so that the hold grows earlier', async () => {
  const base = { rate: FREE, maxDurationSeconds: 300, estimate: 6_000, funds: 1_000_000 };
  const silent = await talk({ ...base, usage: [] });
  const busy = await talk({ ...base, usage: [{ afterMs: 10_000, tokens: 4_000 }] });
  // 12,000 micros cover two minutes; 8,000 spent in ten seconds leave 4,000, which is 40 seconds.
  expect(silent.tries[0]?.atSecond).toBe(60);
  expect(busy.tries[0]?.atSecond).toBe(10);
  expect([silent.exhaustedAtSecond, busy.exhaustedAtSecond]).toEqual([null, null]);
});

test('models that are silent spend nothing: the call outlives what was expected', async () => {
  const { exhaustedAtSecond } = await talk({
    rate: FREE,
    maxDurationSeconds: 300,
    estimate: 6_000,
    funds: 0,
    usage: [],
  });
  expect(exhaustedAtSecond).toBeNull();
});

test('a report that is more than the hold ends the call at once, not before', async () => {
  const { exhaustedAtSecond } = await talk({
    rate: FREE,
    maxDurationSeconds: 300,
    estimate: 6_000,
    funds: 0,
    usage: [{ afterMs: 20_000, tokens: 6_001 }],
  });
  expect(exhaustedAtSecond).toBe(20);
});

test('denied growth is tried again every five seconds, however often usage comes', async () => {
  const usage = Array.from({ length: 100 }, () => ({ afterMs: 300, tokens: 1 }));
  const { tries } = await talk({ rate: FREE, maxDurationSeconds: 100, estimate: 12_000, funds: 0, usage });
  const gaps = tries.slice(1).map(({ atSecond }, index) => atSecond - (tries[index]?.atSecond ?? 0));
  expect(gaps.every((gap) => gap >= 4.99)).toBe(true);
});
