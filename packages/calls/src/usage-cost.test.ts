import { micros, type UsageEntry, type UsageUnit } from '@outdial/contracts';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ConductedCall, PinnedModel, PinnedRate } from './conducted-call.ts';
import { chargeFor, itemize } from './pricing.ts';
import type { Rate } from './rate-deck.ts';
import { CONDUCTED, usageOf } from './testing/conducted-calls.ts';
import { addQuantities, priceUsage, usageMicros } from './usage-cost.ts';

const UNITS: readonly UsageUnit[] = ['input_text_token', 'output_audio_token', 'second', 'character'];
const MODELS = ['alpha', 'beta', 'gamma'] as const;
const OF_LLM = { component: 'llm', provider: 'openai' } as const;

/** Quantities in millionths, so that the expected cost is a sum of integers. */
interface Used {
  readonly model: (typeof MODELS)[number];
  readonly unit: UsageUnit;
  readonly parts: number;
}

const used: fc.Arbitrary<Used> = fc.record({
  model: fc.constantFrom(...MODELS),
  unit: fc.constantFrom(...UNITS),
  parts: fc.oneof(
    fc.nat(60_000_000),
    fc.nat(50).map((whole) => whole * 1_000_000),
  ),
});

const books = fc.record({
  used: fc.array(used, { maxLength: 12 }),
  /** One price for each model and unit; null: none. */
  prices: fc.array(fc.option(fc.nat(200_000_000)), { minLength: 12, maxLength: 12 }),
  own: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
});

function pinned(prices: readonly (number | null)[], own: readonly boolean[]): ConductedCall {
  const models: PinnedModel[] = MODELS.map((model, index) => ({
    ...OF_LLM,
    model,
    credentialId: model,
    isOwn: own[index] ?? false,
    isFallback: false,
  }));
  const rates: PinnedRate[] = MODELS.flatMap((model, row) =>
    UNITS.flatMap((unit, column) => {
      const price = prices[row * UNITS.length + column] ?? null;
      return price === null ? [] : [{ ...OF_LLM, model, unit, priceMicrosPerMillion: micros(price) }];
    }),
  );
  return { driver: 'cascade', models, rates, estimateMicrosPerMinute: micros(0) };
}

/** Quotient and remainder, not the code's formula. */
function expectedMicros(price: number, parts: number): bigint {
  const product = BigInt(price) * BigInt(parts);
  return product / 10n ** 12n + (product % 10n ** 12n === 0n ? 0n : 1n);
}

test('each entry costs its quantity at its price, rounded up to a micro, and nothing on an own credential, in one order', () => {
  fc.assert(
    fc.property(books, ({ used: entries, prices, own }) => {
      const usage = entries.map(({ model, unit, parts }) => ({ ...OF_LLM, model, unit, quantity: parts / 1_000_000 }));
      const expected = MODELS.flatMap((model, row) =>
        UNITS.flatMap((unit, column) => {
          const price = own[row] ? 0 : (prices[row * UNITS.length + column] ?? 0);
          const ofBoth = entries.filter((entry) => entry.model === model && entry.unit === unit);
          return ofBoth.map(({ parts }) => expectedMicros(price, parts));
        }),
      );
      const conducted = pinned(prices, own);
      expect(priceUsage(conducted, usage).map(({ costMicros }) => costMicros)).toEqual(expected);
      expect(usageMicros(conducted, usage)).toBe(expected.reduce((sum, cost) => sum + cost, 0n));
    }),
  );
});

test('what models used is listed in their order, whichever reports first', () => {
  const [stt, llm, tts] = usageOf(1.5, 20, 30);
  const inOrder = priceUsage(CONDUCTED, [stt!, llm!, tts!]);
  expect(priceUsage(CONDUCTED, [tts!, llm!, stt!])).toEqual(inOrder);
  expect(inOrder.map(({ component }) => component)).toEqual(CONDUCTED.models.map(({ component }) => component));
});

test('quantities are summed without the error of floating point', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(90_000_000), { maxLength: 200 }), (parts) => {
      const sum = parts.reduce((total, part) => addQuantities(total, part / 1_000_000), 0);
      expect(Math.round(sum * 1_000_000)).toBe(parts.reduce((total, part) => total + part, 0));
    }),
  );
});

const rate: Rate = {
  prefix: '1',
  connectionFeeMicros: micros(5_000),
  pricePerMinuteMicros: micros(12_000),
  initialIncrementSeconds: 60,
  incrementSeconds: 6,
};

test('the items of a charge sum to its cost, which never exceeds the hold', () => {
  fc.assert(
    fc.property(
      fc.record({
        talkMs: fc.option(fc.nat(900_000)),
        hold: fc.nat(300_000),
        seconds: fc.nat(9_000),
        tokens: fc.nat(90_000),
        characters: fc.nat(5_000),
      }),
      ({ talkMs, hold, seconds, tokens, characters }) => {
        const usage: readonly UsageEntry[] = usageOf(seconds / 10, tokens, characters);
        const charge = chargeFor(rate, talkMs, micros(hold), usageMicros(CONDUCTED, usage));
        const items = itemize(rate, charge, priceUsage(CONDUCTED, usage));
        expect(items.reduce((sum, { costMicros }) => sum + costMicros, 0n)).toBe(charge.costMicros);
        expect(charge.costMicros).toBeLessThanOrEqual(BigInt(hold));
        if (talkMs === null) expect(items).toEqual([]);
        for (const item of items) if (item.product === 'adjustment') expect(item.costMicros).toBeLessThan(0n);
      },
    ),
  );
});

test('a model that has an own credential and the operator’s too is paid for', () => {
  const [own] = CONDUCTED.models.filter(({ isOwn }) => isOwn);
  const both = [...CONDUCTED.models, { ...own!, credentialId: 'operators', isOwn: false, isFallback: true }];
  const rates: PinnedRate[] = [
    {
      component: 'tts',
      provider: 'cartesia',
      model: 'sonic-3',
      unit: 'character',
      priceMicrosPerMillion: micros(38_000_000),
    },
  ];
  expect(usageMicros({ models: CONDUCTED.models, rates }, usageOf(0, 0, 1_000))).toBe(0n);
  expect(usageMicros({ models: both, rates }, usageOf(0, 0, 1_000))).toBe(38_000n);
});
