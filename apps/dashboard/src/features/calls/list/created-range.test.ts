import { assert, integer, property } from 'fast-check';
import { expect, test } from 'vitest';
import { describeCreated, fromLocalInput, toLocalInput } from './created-range.ts';

test('a time round-trips through its field, to the minute', () => {
  const minutes = integer({ min: Date.parse('2000-01-01') / 60_000, max: Date.parse('2100-01-01') / 60_000 });
  assert(
    property(minutes, (minute) => {
      const iso = new Date(minute * 60_000).toISOString();
      const read = fromLocalInput(toLocalInput(iso));
      // The field cannot distinguish the two passes of the hour that repeats when daylight saving time ends.
      expect(toLocalInput(read)).toBe(toLocalInput(iso));
    }),
  );
});

test('incomplete input is no time', () => {
  expect(fromLocalInput('')).toBeUndefined();
  expect(fromLocalInput('soon')).toBeUndefined();
  expect(toLocalInput(undefined)).toBe('');
});

test('a range is described in words', () => {
  expect(describeCreated({})).toBe('Any time');
  expect(describeCreated({ created_after: '2026-11-20T10:26:00Z' })).toMatch(/^Since 20 Nov 2026/);
});
