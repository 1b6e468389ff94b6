import * as fc from 'fast-check';
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { describe, expect, test } from 'vitest';
import { numberReader } from './number-of.ts';

/** What the library makes of a text; null if it is no possible number. */
function byLibrary(text: string): string | null {
  const parsed = parsePhoneNumberFromString(text, { extract: false });
  return parsed?.isPossible() && parsed.ext === undefined ? parsed.number : null;
}

function read(text: string, country: string | null = null): string | null {
  const reading = numberReader(country)(text);
  return 'number' in reading ? reading.number : null;
}

describe('a number of North America that is read without the library', () => {
  test('is what the library makes of it, whatever its area code', () => {
    for (let area = 200; area <= 999; area += 1) {
      for (const rest of ['2000000', '5550143', '0000000', '1999999', '9999999']) {
        const text = `+1${area}${rest}`;
        expect([text, read(text), read(text, 'GB')]).toEqual([text, byLibrary(text), text]);
      }
    }
  });

  test('has the verdict of the library, whatever digits follow the plus sign', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^1?[0-9]{4,13}$/), fc.constantFrom(null, 'US', 'JM', 'DE'), (digits, country) => {
        const text = `+${digits}`;
        const known = byLibrary(text);
        // What the product does not call although the library knows a number of its length.
        const isCalled = known !== null && /^\+[1-9]\d{6,14}$/.test(known) && !/^\+1(?!\d{10}$)/.test(known);
        expect(read(text, country)).toBe(isCalled ? known : null);
      }),
      { numRuns: 2_000 },
    );
  });

  test('is no longer or shorter one', () => {
    for (const text of [
      '+1202555014',
      '+120255501433',
      '+10025550143',
      '+11025550143',
      '+12025550143x',
      '+12025550143\n',
    ])
      expect([text, read(text)]).toEqual([text, byLibrary(text)]);
  });
});
