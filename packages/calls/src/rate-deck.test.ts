import { e164Schema, micros } from '@outdial/contracts';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { createRateDeck, type Rate } from './rate-deck.ts';

const rateOf = (prefix: string): Rate => ({
  prefix,
  connectionFeeMicros: micros(0),
  pricePerMinuteMicros: micros(prefix.length),
  initialIncrementSeconds: 60,
  incrementSeconds: 60,
});
const digits = (min: number, max: number) => fc.stringMatching(new RegExp(`^[1-3][0-3]{${min - 1},${max - 1}}$`));

it('the longest prefix of the number decides, and without a matching prefix there is no rate', () => {
  fc.assert(
    fc.property(fc.uniqueArray(digits(1, 6)), digits(7, 15), (prefixes, number) => {
      const deck = createRateDeck({ currency: 'USD', version: 1, rates: prefixes.map(rateOf) });
      const expected = prefixes
        .filter((prefix) => number.startsWith(prefix))
        .toSorted((a, b) => b.length - a.length)[0];
      expect(deck.find(e164Schema.parse(`+${number}`))?.prefix).toBe(expected);
    }),
  );
});
