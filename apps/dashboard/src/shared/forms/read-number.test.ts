import { expect, test } from 'vitest';
import { normalizeNumber, readNumber } from './read-number.ts';

test('numbers are accepted in any common notation', () => {
  expect(normalizeNumber(' +1 (202) 555-0100 ')).toBe('+12025550100');
  expect(normalizeNumber('001 202.555.0100')).toBe('+12025550100');
  expect(normalizeNumber('Zoë')).toBe('Zoë');
});

test('a number without its country code, or with a word, is none', () => {
  expect(readNumber('00 49 30 1234567')).toBe('+49301234567');
  for (const text of ['', '202 555 0100', '+1', '+12025550100 Ada', '+120255501001', '+0123456789'])
    expect(readNumber(text)).toBeNull();
});
