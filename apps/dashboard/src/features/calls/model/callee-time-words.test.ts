import { placeOf } from '@outdial/numbering';
import { expect, test } from 'vitest';
import { calleeTimeWords } from './callee-time-words.ts';

const wordsOf = (number: string, iso: string) => calleeTimeWords(placeOf(number), Date.parse(iso));

test('a number of one time zone shows the time there', () => {
  expect(wordsOf('+12125550100', '2026-11-27T08:12:59Z')).toBe('In New York it is 03:12');
  expect(wordsOf('+18685550100', '2026-11-27T08:12:00Z')).toBe('In Port of Spain it is 04:12');
  expect(wordsOf('+97715551234', '2026-11-27T18:20:00Z')).toBe('In Kathmandu it is 00:05');
});

test('a number of an area with two clocks shows both times', () => {
  expect(wordsOf('+14235550100', '2026-11-27T08:12:00Z')).toBe(
    'It is between 02:12 and 03:12, depending on where in the area',
  );
});

test('times on both sides of midnight are in their order', () => {
  expect(wordsOf('+14235550100', '2026-11-27T05:30:00Z')).toBe(
    'It is between 23:30 and 00:30, depending on where in the area',
  );
});

test('a number that may be anywhere in its country shows the earliest and the latest time', () => {
  expect(wordsOf('+18005550100', '2026-11-27T18:00:00Z')).toBe(
    'It is between 08:00 and 13:00, depending on where in the country',
  );
});

test('zones that keep one clock show one time', () => {
  expect(calleeTimeWords({ zones: ['America/Denver', 'America/Boise'], certain: true }, Date.UTC(2026, 0, 1))).toBe(
    'In Denver it is 17:00',
  );
});

test('a number of no country shows nothing', () => {
  expect(wordsOf('+881612345678', '2026-11-27T18:00:00Z')).toBe('');
});
