import type { PinnedRate } from '@outdial/calls';
import { micros, type UsageUnit } from '@outdial/contracts';
import { assert, bigInt, integer, property, record } from 'fast-check';
import { expect, test } from 'vitest';
import { costOf, coverOf, pricesOf } from './cost.ts';

const rate = (unit: UsageUnit, price: bigint): PinnedRate => ({
  component: 'llm',
  provider: 'openai',
  model: 'm',
  unit,
  priceMicrosPerMillion: micros(price),
});
const price = bigInt({ min: 0n, max: 100_000_000n });
const tokens = integer({ min: 0, max: 1_000_000 });

test('a cost is each quantity times its price, each rounded up to a micro', () => {
  const usage = record({ inputTokens: tokens, cachedInputTokens: tokens, outputTokens: tokens });
  assert(
    property(price, price, price, usage, (input, cached, output, used) => {
      const prices = pricesOf([
        rate('input_text_token', input),
        rate('cached_input_text_token', cached),
        rate('output_text_token', output),
      ]);
      const exact = [
        [used.inputTokens, input],
        [used.cachedInputTokens, cached],
        [used.outputTokens, output],
      ] as const;
      let expected = 0n;
      for (const [quantity, each] of exact) {
        const product = BigInt(quantity) * each;
        expected += product / 1_000_000n + (product % 1_000_000n === 0n ? 0n : 1n);
      }
      if (prices === null) throw new Error('all prices are there');
      expect(costOf(used, prices)).toBe(expected);
    }),
  );
});

test('a model without a price for its output has none; cached input without one costs what input costs', () => {
  expect(pricesOf([rate('input_text_token', 5n)])).toBeNull();
  expect(pricesOf([rate('input_text_token', 5n), rate('output_text_token', 7n)])).toEqual({
    input: 5n,
    cachedInput: 5n,
    output: 7n,
  });
});

test('4,000 tokens of output must be covered', () => {
  expect(coverOf({ input: 0n, cachedInput: 0n, output: 2_000_000n })).toBe(8_000n);
});
