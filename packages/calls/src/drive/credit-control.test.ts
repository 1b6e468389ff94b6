import { micros, type Micros } from '@outdial/contracts';
import { createLogger } from '@outdial/kernel';
import * as fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { SteppedClock } from '../../test/stepped-clock.ts';
import { firstHoldMicros } from '../pricing.ts';
import type { Rate } from '../rate-deck.ts';
import { createCreditControl } from './credit-control.ts';
import type { EnlargeHoldOutcome } from './enlarge-hold.ts';

let clock = new SteppedClock();
beforeEach(() => {
  clock = new SteppedClock();
});

const logger = createLogger({ name: 'test', level: 'silent' });

/** The account's funds as the gate has them, and whether the stores answer. */
interface Till {
  funds: bigint;
  hold: bigint;
  away: boolean;
}

/** One attempt to enlarge the hold, and its result. */
interface Ask {
  readonly atMs: number;
  readonly funds: bigint;
  readonly away: boolean;
}

function enlargeFrom(till: Till, asked: Ask[]): (holdMicros: Micros) => Promise<EnlargeHoldOutcome> {
  return async (holdMicros) => {
    asked.push({ atMs: clock.monotonicMs(), funds: till.funds, away: till.away });
    if (till.away) throw new Error('a store is away');
    const more = holdMicros - till.hold;
    if (more > till.funds) return { kind: 'denied', availableMicros: micros(till.funds) };
    till.funds -= more;
    till.hold = holdMicros;
    return { kind: 'enlarged' };
  };
}

/** The price of a talk, in plain numbers, calculated from the rate and not by the code under test. */
function priceOf(rate: Rate, seconds: number): number {
  let billed = rate.initialIncrementSeconds;
  while (billed < seconds) billed += rate.incrementSeconds;
  return Number(rate.connectionFeeMicros) + Math.ceil((Number(rate.pricePerMinuteMicros) * billed) / 60);
}

interface Scenario {
  readonly rate: Rate;
  readonly maxDurationSeconds: number;
  readonly funds: number;
  readonly topUps: readonly { readonly atSecond: number; readonly amount: number }[];
  readonly outages: readonly { readonly fromSecond: number; readonly forSeconds: number }[];
}

const scenarios: fc.Arbitrary<Scenario> = fc.record({
  rate: fc
    .record({
      fee: fc.integer({ min: 0, max: 50_000 }),
      price: fc.integer({ min: 1, max: 100_000 }),
      increments: fc.constantFrom<[number, number]>([60, 60], [6, 6], [1, 1], [30, 6], [90, 40], [600, 600]),
    })
    .map(({ fee, price, increments: [initial, next] }) => ({
      prefix: '1',
      connectionFeeMicros: micros(fee),
      pricePerMinuteMicros: micros(price),
      initialIncrementSeconds: initial,
      incrementSeconds: next,
    })),
  maxDurationSeconds: fc.integer({ min: 5, max: 900 }),
  funds: fc.integer({ min: 0, max: 600_000 }),
  topUps: fc.array(
    fc.record({ atSecond: fc.integer({ min: 1, max: 900 }), amount: fc.integer({ min: 1, max: 200_000 }) }),
    { maxLength: 3 },
  ),
  outages: fc.array(
    fc.record({ fromSecond: fc.integer({ min: 0, max: 900 }), forSeconds: fc.integer({ min: 1, max: 200 }) }),
    { maxLength: 2 },
  ),
});

/** Talks until the hold is exhausted or the longest call is over. */
async function talk(scenario: Scenario) {
  const { rate, maxDurationSeconds } = scenario;
  const firstHold = firstHoldMicros(rate, maxDurationSeconds);
  const till: Till = { funds: BigInt(scenario.funds), hold: firstHold, away: false };
  const asked: Ask[] = [];
  const answeredAtMs = Math.floor(clock.monotonicMs());
  const exhausted: number[] = [];
  const control = createCreditControl({
    price: { rate, maxDurationSeconds },
    holdMicros: firstHold,
    answeredAtMs,
    clock,
    logger,
    enlarge: enlargeFrom(till, asked),
    onExhausted: (atMs) => exhausted.push(atMs),
    onFenced: () => expect.fail('no other worker owns the call'),
  });
  const talkedBy = (second: number) => (exhausted[0] === undefined ? second : (exhausted[0] - answeredAtMs) / 1_000);
  let second = 0;
  while (exhausted.length === 0 && second < maxDurationSeconds) {
    till.away = scenario.outages.some((o) => second >= o.fromSecond && second < o.fromSecond + o.forSeconds);
    for (const topUp of scenario.topUps) if (topUp.atSecond === second) till.funds += BigInt(topUp.amount);
    await clock.turn(1_000);
    second += 1;
    // At every moment of the talk both stores hold at least its cost so far.
    expect(priceOf(rate, talkedBy(second))).toBeLessThanOrEqual(Number(control.holdMicros()));
    expect(control.holdMicros()).toBeLessThanOrEqual(till.hold);
  }
  control.stop();
  const talkedSeconds = talkedBy(second);
  return { exhausted: exhausted.length > 0, talkedSeconds, till, asked, answeredAtMs };
}

test(
  'no second of talk is uncovered by the hold, and no call is cut short while funds suffice',
  { timeout: 120_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(scenarios, async (scenario) => {
        const { rate, maxDurationSeconds } = scenario;
        const { exhausted, talkedSeconds, till, asked, answeredAtMs } = await talk(scenario);
        if (!exhausted) return;
        expect(talkedSeconds).toBeLessThan(maxDurationSeconds);
        // The hold was used up: it did not cover one more increment.
        const nextSecond = Math.min(talkedSeconds + 1, maxDurationSeconds);
        const shortOf = priceOf(rate, nextSecond) - Number(till.hold);
        expect(shortOf).toBeGreaterThan(0);
        // At the last try, a second before the end, the money for it was missing too, unless a store was away.
        const last = asked.at(-1);
        expect(Math.round(((last?.atMs ?? 0) - answeredAtMs) / 1_000)).toBe(talkedSeconds - 1);
        expect(last?.away === true || shortOf > Number(last?.funds)).toBe(true);
      }),
      { numRuns: 300 },
    );
  },
);

test('the hold is enlarged a minute before it runs out', async () => {
  const rate = { prefix: '1', connectionFeeMicros: micros(0), pricePerMinuteMicros: micros(60) };
  const scenario = { funds: 1_000_000, topUps: [], outages: [], maxDurationSeconds: 500 };
  const whole = { ...rate, initialIncrementSeconds: 60, incrementSeconds: 60 };
  const { asked, answeredAtMs, exhausted } = await talk({ ...scenario, rate: whole });
  expect(exhausted).toBe(false);
  // Two minutes at a time: 120 s are covered at the answer, then 240, 360, 480, and the rest.
  expect(asked.map(({ atMs }) => Math.round((atMs - answeredAtMs) / 1_000))).toEqual([60, 180, 300, 420]);
});

test('a call whose maximum duration is covered never enlarges its hold', async () => {
  const rate = { prefix: '1', connectionFeeMicros: micros(5), pricePerMinuteMicros: micros(60) };
  const whole = { ...rate, initialIncrementSeconds: 60, incrementSeconds: 60 };
  const { asked, exhausted } = await talk({ rate: whole, maxDurationSeconds: 120, funds: 0, topUps: [], outages: [] });
  expect(asked).toEqual([]);
  expect(exhausted).toBe(false);
});

test('a denied enlargement is retried every five seconds and not more often', async () => {
  const rate = { prefix: '1', connectionFeeMicros: micros(0), pricePerMinuteMicros: micros(60) };
  const whole = { ...rate, initialIncrementSeconds: 60, incrementSeconds: 60 };
  const { asked } = await talk({ rate: whole, maxDurationSeconds: 500, funds: 0, topUps: [], outages: [] });
  expect(asked.length).toBeLessThanOrEqual(14);
});

test('a result that comes after the hang-up is not used', async () => {
  const rate = { prefix: '1', connectionFeeMicros: micros(0), pricePerMinuteMicros: micros(60) };
  const whole = { ...rate, initialIncrementSeconds: 60, incrementSeconds: 60 };
  const control = createCreditControl({
    price: { rate: whole, maxDurationSeconds: 600 },
    holdMicros: micros(120),
    answeredAtMs: Math.floor(clock.monotonicMs()),
    clock,
    logger,
    enlarge: () => new Promise((resolve) => clock.after(10_000, () => resolve({ kind: 'enlarged' }))),
    onExhausted: () => expect.fail('hung up before'),
    onFenced: () => expect.fail('hung up before'),
  });
  await clock.turn(65_000);
  control.stop();
  await clock.turn(200_000);
  expect(control.holdMicros()).toBe(120n);
});
