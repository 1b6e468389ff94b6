import { expect, test } from 'vitest';
import { linesError, readNumberLines } from './number-lines.ts';

const many = (count: number) => Array.from({ length: count }, (_, at) => `+1202555${1_000 + at}`).join('\n');
const errorOf = (text: string) => linesError(readNumberLines(text), 500);

test('numbers are read one per line in any notation, and each is added once', () => {
  const { numbers, invalid } = readNumberLines('+1 202 555 0100\r\n\n 0044 20 7946 0000 \n+12025550100\n');
  expect(numbers).toEqual(['+12025550100', '+442079460000']);
  expect(invalid).toEqual([]);
});

test('an invalid line is named with its number, blank lines included', () => {
  expect(readNumberLines('+12025550100\n\n202 555 0143\nAda').invalid).toEqual([
    { line: 3, text: '202 555 0143' },
    { line: 4, text: 'Ada' },
  ]);
  expect(errorOf('Ada')).toBe('One line is not a number with its country code');
  expect(errorOf('Ada\nGrace')).toBe('2 lines are not numbers with their country code');
});

test('at least one number and at most 500 can be added at once', () => {
  expect(errorOf(' \n')).toBe('Enter at least one number');
  expect(errorOf(many(500))).toBeNull();
  expect(errorOf(many(501))).toMatch('At most 500 numbers at once');
});
