import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isKeptExactly } from './json-number.ts';

/** The value of a number's text as a fraction of integers, by arithmetic alone. */
function fractionOf(text: string): { readonly over: bigint; readonly under: bigint } {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const power = BigInt(exponent) - BigInt(fraction.length);
  const digits = BigInt(`${whole}${fraction}`);
  return power >= 0n ? { over: digits * 10n ** power, under: 1n } : { over: digits, under: 10n ** -power };
}

function isSame(left: string, right: string): boolean {
  const [a, b] = [fractionOf(left), fractionOf(right)];
  return a.over * b.under === b.over * a.under;
}

describe('a JSON number', () => {
  it('is exact if and only if serializing it again yields the same value', () => {
    const digits = fc.bigInt({ min: 0n, max: 10n ** 25n }).map(String);
    const fraction = fc.option(fc.stringMatching(/^\d{1,25}$/), { nil: null });
    const exponent = fc.option(fc.integer({ min: -330, max: 300 }), { nil: null });
    const texts = fc
      .tuple(fc.constantFrom('', '-'), digits, fraction, exponent)
      .map(
        ([sign, whole, part, power]) =>
          `${sign}${whole}${part === null ? '' : `.${part}`}${power === null ? '' : `e${power}`}`,
      );
    fc.assert(
      fc.property(texts, (text) => {
        const parsed = Number(text);
        expect(isKeptExactly(text)).toBe(Number.isFinite(parsed) && isSame(text, String(parsed)));
      }),
      { numRuns: 2_000 },
    );
  });

  it('is exact if it was written from a double', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => isKeptExactly(JSON.stringify(value))),
    );
  });

  it.each(['0.1', '-0', '1.50', '1E2', '9007199254740992', '123456789012345680000', '1e308', '5e-324', '0e999999'])(
    '%s is exact',
    (text) => {
      expect(isKeptExactly(text)).toBe(true);
    },
  );

  it.each(['9007199254740993', '123456789012345678901234567890', '1e400', '-1e400', '1e-400', '0.1000000000000000055'])(
    '%s is not exact',
    (text) => {
      expect(isKeptExactly(text)).toBe(false);
    },
  );
});
