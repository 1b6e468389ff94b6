import { describe, expect, it } from 'vitest';
import { formatDecimal, MAX_MICROS, micros, microsToDecimal, parseDecimal } from './money.ts';
import * as fc from 'fast-check';

const amounts = fc.bigInt({ min: -999_999_999_999_999n, max: 999_999_999_999_999n }).map(micros);

describe('money', () => {
  it('is the same to the micro after formatting and parsing', () => {
    fc.assert(fc.property(amounts, (amount) => parseDecimal(formatDecimal(amount)) === amount));
  });

  it('is shown as the decimal that its JSON number prints', () => {
    fc.assert(
      fc.property(amounts, (amount) => {
        const shown = microsToDecimal(amount);
        return Math.round(shown * 1_000_000) === Number(amount) && parseDecimal(shown.toFixed(6)) === amount;
      }),
    );
  });

  it.each(['', '1,5', '1.', '.5', '1e3', '1.0000001', 'NaN', '--1', '+1', ' 1', '1234567890'])(
    'does not parse %j',
    (text) => {
      expect(parseDecimal(text)).toBeNull();
    },
  );

  it('rejects what a double cannot represent', () => {
    expect(() => micros(MAX_MICROS + 1n)).toThrow(RangeError);
    expect(micros(MAX_MICROS)).toBe(9_007_199_254_740_991n);
  });
});
