import { callIdSchema, micros } from '@outdial/contracts';
import { array, assert, bigInt, constant, integer, option, property, record, type Arbitrary } from 'fast-check';
import { expect, test } from 'vitest';
import { itemize } from '../pricing.ts';
import type { Rate } from '../rate-deck.ts';
import { legSettlementOf, type SecondLegReport } from './leg-settlement.ts';

const legId = callIdSchema.parse('0c000000-0000-4000-8000-000000000002');
const times = { wallMsOf: (momentMs: number) => momentMs };
const micro = bigInt({ min: 0n, max: 5_000_000n }).map(micros);
const rate: Arbitrary<Rate> = record({
  prefix: constant('1'),
  connectionFeeMicros: micro,
  pricePerMinuteMicros: micro,
  initialIncrementSeconds: integer({ min: 1, max: 60 }),
  incrementSeconds: integer({ min: 1, max: 60 }),
});
const report: Arbitrary<SecondLegReport> = record({
  legId: constant(legId),
  rate,
  holdMicros: micro,
  answeredAtMs: option(integer({ min: 0, max: 600_000 })),
  overAtMs: integer({ min: 0, max: 900_000 }),
  result: constant('connected' as const),
  sipCode: constant(null),
});

test('a second leg costs at most its hold, nothing without an answer, and ends with its call', () => {
  assert(
    property(report, integer({ min: 0, max: 900_000 }), (leg, callOverAtMs) => {
      const { charge, endedAtMs, answeredAtMs } = legSettlementOf(leg, { times, callOverAtMs });
      expect(charge.costMicros <= leg.holdMicros).toBe(true);
      if (answeredAtMs === null) expect(charge).toEqual({ billableSeconds: 0, costMicros: 0n });
      else expect(charge.billableSeconds).toBeGreaterThanOrEqual(leg.rate.initialIncrementSeconds);
      expect(endedAtMs).toBeLessThanOrEqual(Math.max(callOverAtMs, answeredAtMs ?? 0));
      expect(endedAtMs).toBeGreaterThanOrEqual(answeredAtMs ?? 0);
    }),
  );
});

test('the items of a call with second legs sum to its cost, whatever the legs cost', () => {
  assert(
    property(
      rate,
      micro,
      integer({ min: 1, max: 600 }),
      array(report, { maxLength: 3 }),
      (own, first, seconds, legs) => {
        const settled = legs.map((leg) => ({ leg, ...legSettlementOf(leg, { times, callOverAtMs: 900_000 }) }));
        const costMicros = micros(settled.reduce((sum, { charge }) => sum + charge.costMicros, BigInt(first)));
        const billed = settled.map(({ leg, charge }) => ({ rate: leg.rate, billableSeconds: charge.billableSeconds }));
        const items = itemize(own, { billableSeconds: seconds, costMicros }, [], billed);
        expect(items.reduce((sum, item) => sum + item.costMicros, 0n)).toBe(costMicros);
        const talks = items.filter(({ product }) => product === 'transfer_talk_time');
        expect(talks).toHaveLength(legs.filter(({ answeredAtMs }) => answeredAtMs !== null).length);
      },
    ),
  );
});
