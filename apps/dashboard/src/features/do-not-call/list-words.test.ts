import { expect, test } from 'vitest';
import { addedWords, importWords } from './list-words.ts';

test('what was on the list already is distinguished from what is new', () => {
  expect(addedWords(1, 0)).toBe('1 number added to the list.');
  expect(addedWords(2, 1)).toBe('2 numbers added to the list. 1 number was on it already.');
  expect(addedWords(0, 1)).toBe('The number was on the list already.');
  expect(addedWords(0, 4)).toBe('All numbers were on the list already.');
});

test('an import reports every line: new, known or invalid', () => {
  const report = { lines: 1_206, added: 1_200, already_listed: 4, invalid: 2, problems: [] };
  expect(importWords(report)).toEqual([
    '1,200 numbers added to the list.',
    '4 numbers were on the list already, or twice in the file.',
    '2 lines have no valid number, and were left out.',
  ]);
  expect(importWords({ ...report, lines: 0 })).toEqual(['The file has no numbers.']);
});
