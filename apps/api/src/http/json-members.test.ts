import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memberError } from './json-members.ts';

describe('the members of a JSON text', () => {
  it('are valid in everything that JSON.stringify writes, with any whitespace', () => {
    const values = fc
      .jsonValue({ maxDepth: 6, noUnicodeString: false })
      .filter((value) => !JSON.stringify(value).includes('__proto__'));
    fc.assert(
      fc.property(values, fc.constantFrom(0, 2, '\t'), (value, indent) => {
        expect(memberError(JSON.stringify(value, null, indent))).toBeNull();
      }),
    );
  });

  it.each<[string, string, string]>([
    ['a duplicate name', '{"a":1,"a":2}', 'a'],
    ['a duplicate name, escaped', '{"a":1,"\\u0061":2}', 'a'],
    ['a duplicate name, nested', '{"m":[{},{"x":{"y":1,"z":[],"y":1}}]}', 'm.1.x.y'],
    ['a duplicate name with quotation marks', '{"a\\"":1,"a\\"":2}', 'a"'],
    ['a duplicate name after a value that looks like a name', '{"a":"b","c":"\\\\","a":1}', 'a'],
    ['__proto__', '{"__proto__":{"admin":true}}', '__proto__'],
    ['__proto__, escaped', '{"m":{"\\u005f_proto__":1}}', 'm.__proto__'],
  ])('%s is rejected with its path', (_what, text, param) => {
    expect(memberError(text)?.param).toBe(param);
  });

  it.each([
    '{"a":"a","b":"a"}',
    '[{"a":1},{"a":2}]',
    '{"a":{"a":{"a":1}}}',
    '"{\\"a\\":1,\\"a\\":2}"',
    '{"a":["a","a"]}',
  ])('that only look similar are accepted: %s', (text) => {
    expect(memberError(text)).toBeNull();
  });

  it('are rejected beyond the maximum depth, without recursion', () => {
    expect(memberError(`${'['.repeat(30_000)}${']'.repeat(30_000)}`)?.message).toContain('deeply');
    expect(memberError(`${'{"a":'.repeat(31)}1${'}'.repeat(31)}`)).toBeNull();
  });
});
