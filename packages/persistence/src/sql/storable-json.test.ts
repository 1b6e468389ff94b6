import { assert, jsonValue, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { storableJson } from './storable-json.ts';

test('what Postgres does not take is replaced, in texts and in names of fields', () => {
  expect(JSON.parse(storableJson({ 'a\0': ['b\ud800', '\udfffc', '😀', '\\u0000', '\\\0', '\u0001'] }))).toEqual({
    'a�': ['b�', '�c', '😀', '\\u0000', '\\�', '\u0001'],
  });
});

test('anything else is stored as it is', () => {
  assert(
    property(jsonValue(), (value) => {
      expect(storableJson(value)).toBe(JSON.stringify(value));
    }),
  );
});

test('any text becomes one without U+0000 and without half a pair', () => {
  assert(
    property(string({ unit: 'binary' }), string({ unit: 'binary' }), (text, name) => {
      const lone = text + '\udc00'.slice(0, text.length % 2) + '\0'.repeat(name.length % 2);
      const stored = JSON.parse(storableJson({ [name]: lone }));
      expect(JSON.stringify(stored)).not.toMatch(/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/);
    }),
  );
});
