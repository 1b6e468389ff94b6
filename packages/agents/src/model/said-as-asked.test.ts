import { expect, test } from 'vitest';
import { saidAsAsked } from './said-as-asked.ts';

const TEN = 'Good morning Anna, this is the practice of Doctor Miller.';

test.each([
  ['the same words', TEN],
  ['other punctuation', 'good morning, Anna. This is the practice of doctor Miller!'],
  ['one word of ten changed', 'Good morning Hanna, this is the practice of Doctor Miller.'],
  ['one word more', 'Good morning Anna, this is indeed the practice of Doctor Miller.'],
  ['one word less', 'Morning Anna, this is the practice of Doctor Miller.'],
])('%s are as asked', (_what, said) => {
  expect(saidAsAsked(said, TEN)).toBe(true);
});

test.each([
  ['two words changed', 'Good evening Hanna, this is the practice of Doctor Miller.'],
  ['an answer of its own', 'Sure! How can I help you today?'],
  ['an introduction', `Of course, I will say it: ${TEN}`],
  ['half of it', 'Good morning Anna, this is the'],
  ['nothing', ''],
])('%s is not', (_what, said) => {
  expect(saidAsAsked(said, TEN)).toBe(false);
});

test('of a text of a few words, every one counts', () => {
  expect(saidAsAsked('Hello Anna.', 'Hello, Anna!')).toBe(true);
  expect(saidAsAsked('Hello Hanna.', 'Hello Anna.')).toBe(false);
});
