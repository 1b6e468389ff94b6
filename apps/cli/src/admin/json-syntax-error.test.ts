import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findJsonSyntaxError } from './json-syntax-error.ts';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('the first syntax error of a JSON text', () => {
  test.each([
    ['', 1, 1, 'a value is missing here'],
    ['{\n  "name": "A",\n}', 3, 1, 'remove a comma before }'],
    ['{\n  "name": "A"\n  "voice": "slt"\n}', 3, 3, 'a comma or a closing bracket'],
    ["{\n  name: 'A'\n}", 2, 3, 'write names and text in double quotes'],
    ['{\n  "name" "A"\n}', 2, 10, 'a colon is missing here'],
    ['{\n  "lines": ["a", "b]\n}', 2, 18, 'malformed or not closed'],
    ['{\n  "lines": [1, 2}', 2, 17, 'a comma or a closing bracket'],
    ['{"a": 01}', 1, 8, 'a comma or a closing bracket'],
    ['{"a": 1.}', 1, 7, 'a number is malformed'],
    ['{"a": 1} // done', 1, 10, 'JSON has no comments'],
    ['{"a": 1}\n{"b": 2}', 2, 1, 'there is text after the end of the JSON value'],
  ])('of %j is in line %d, column %d', (text, line, column, message) => {
    expect(findJsonSyntaxError(text)).toEqual({ line, column, message: expect.stringContaining(message) });
  });

  test('is found exactly where JSON.parse rejects the text', () => {
    const damage = fc.record({
      at: fc.nat(),
      text: fc.constantFrom('', '"', ',', '}', ']', '{', '1', '\\', '\n', '-', 'e'),
    });
    fc.assert(
      fc.property(fc.json(), fc.option(damage), (json, fault) => {
        const at = fault === null ? 0 : fault.at % (json.length + 1);
        const text = fault === null ? json : json.slice(0, at) + fault.text + json.slice(at + 1);
        expect(findJsonSyntaxError(text) === null).toBe(isJson(text));
      }),
      { numRuns: 2_000 },
    );
  });
});
