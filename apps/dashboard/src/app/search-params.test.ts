import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSearch, stringifySearch } from './search-params.ts';

describe('search parameters', () => {
  it('survive the URL unchanged, whatever they contain', () => {
    const name = fc.string({ minLength: 1 }).filter((name) => name !== '__proto__');
    // Half of a surrogate pair cannot be encoded in a URL.
    const value = fc.string({ unit: 'grapheme', minLength: 1 });
    fc.assert(
      fc.property(fc.dictionary(name, value, { noNullPrototype: true }), (search) => {
        expect(parseSearch(stringifySearch(search))).toEqual(search);
      }),
    );
  });

  it('keep values that look like JSON as text', () => {
    expect(parseSearch('?to_number=%2B12025550100&cursor=12&status=null')).toEqual({
      to_number: '+12025550100',
      cursor: '12',
      status: 'null',
    });
  });

  it('omit empty values', () => {
    expect(stringifySearch({ status: undefined, to_number: '', limit: 50 })).toBe('?limit=50');
    expect(stringifySearch({})).toBe('');
  });
});
