import { micros, type Micros } from '@outdial/contracts';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { billableSeconds, chargeFor, coveredSeconds, firstHoldMicros, itemize, priceMicros } from './pricing.ts';
import type { Rate } from './rate-deck.ts';

const rates: fc.Arbitrary<Rate> = fc.record({
  prefix: fc.constant('1'),
  connectionFeeMicros: fc.bigInt({ min: 0n, max: 5_000_000n }).map(micros),
  pricePerMinuteMicros: fc.bigInt({ min: 0n, max: 50_000_000n }).map(micros),
  initialIncrementSeconds: fc.integer({ min: 1, max: 90 }),
  incrementSeconds: fc.integer({ min: 1, max: 90 }),
});
const talk = fc.integer({ min: 0, max: 7_200_000 });

/** The same rule by counting: start with the first increment, add one until the talk is covered. */
function countedSeconds(rate: Rate, talkMs: number): number {
  let seconds = rate.initialIncrementSeconds;
  while (seconds * 1_000 < talkMs) seconds += rate.incrementSeconds;
  return seconds;
}

/** The exact price as a fraction of a micro over 60, rounded up at the end. */
function exactPrice(rate: Rate, seconds: number): bigint {
  let sixtieths = 0n;
  for (let second = 0; second < seconds; second += 1) sixtieths += rate.pricePerMinuteMicros;
  return rate.connectionFeeMicros + sixtieths / 60n + (sixtieths % 60n === 0n ? 0n : 1n);
}

const rate = (over: Partial<Rate>): Rate => ({
  prefix: '1',
  connectionFeeMicros: micros(0),
  pricePerMinuteMicros: micros(12_000),
  initialIncrementSeconds: 60,
  incrementSeconds: 60,
  ...over,
});
const plenty: Micros = micros(10n ** 15n);

describe('billed seconds', () => {
  it.each([
    [60, 60, 1, 60],
    [60, 60, 60_000, 60],
    [60, 60, 60_001, 120],
    [6, 6, 6_001, 12],
    [30, 6, 29_000, 30],
    [30, 6, 30_001, 36],
    [1, 1, 999, 1],
    [1, 1, 0, 1],
  ])('with %i/%i, %i ms are billed as %i s', (initialIncrementSeconds, incrementSeconds, talkMs, seconds) => {
    expect(billableSeconds(rate({ initialIncrementSeconds, incrementSeconds }), talkMs)).toBe(seconds);
  });

  it('agree with counting increments', () => {
    fc.assert(fc.property(rates, talk, (any, talkMs) => billableSeconds(any, talkMs) === countedSeconds(any, talkMs)));
  });
});

describe('a charge', () => {
  it('is zero for a call that was never answered', () => {
    fc.assert(fc.property(rates, (any) => chargeFor(any, null, plenty).costMicros === 0n));
  });

  it('equals the exact price, rounded up to a micro', () => {
    fc.assert(
      fc.property(rates, fc.integer({ min: 0, max: 600_000 }), (any, talkMs) => {
        const charge = chargeFor(any, talkMs, plenty);
        return charge.costMicros === exactPrice(any, countedSeconds(any, talkMs));
      }),
    );
  });

  it('never exceeds the hold, and equals the sum of its items', () => {
    fc.assert(
      fc.property(rates, talk, fc.bigInt({ min: 0n, max: 10n ** 10n }).map(micros), (any, talkMs, holdMicros) => {
        const charge = chargeFor(any, talkMs, holdMicros);
        const sum = itemize(any, charge).reduce((total, item) => total + item.costMicros, 0n);
        expect(charge.costMicros <= holdMicros).toBe(true);
        expect(sum).toBe(charge.costMicros);
      }),
    );
  });

  it('shows the excess over the hold as an adjustment', () => {
    const items = itemize(rate({}), chargeFor(rate({}), 61_000, micros(12_000)));
    expect(items.map((item) => [item.product, item.costMicros])).toEqual([
      ['talk_time', 24_000n],
      ['adjustment', -12_000n],
    ]);
  });
});

describe('a hold', () => {
  it('covers the fee and the first two minutes, but not more than the longest call', () => {
    expect(firstHoldMicros(rate({ connectionFeeMicros: micros(500) }), 1_800)).toBe(24_500n);
    expect(firstHoldMicros(rate({ connectionFeeMicros: micros(500) }), 45)).toBe(12_500n);
  });

  it('covers exactly the talk whose price it holds: one more second costs more', () => {
    fc.assert(
      fc.property(rates, fc.bigInt({ min: 0n, max: 10n ** 9n }).map(micros), (any, holdMicros) => {
        const limit = 7_200;
        const covered = coveredSeconds(any, holdMicros, limit);
        if (covered > 0) expect(priceMicros(any, covered) <= holdMicros).toBe(true);
        if (covered < limit) expect(priceMicros(any, covered + 1) > holdMicros).toBe(true);
      }),
    );
  });
});
