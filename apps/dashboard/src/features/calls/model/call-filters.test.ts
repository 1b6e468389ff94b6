import { expect, test } from 'vitest';
import { callFiltersSchema, countFilters, filterParams, normaliseNumber } from './call-filters.ts';

test('what is not valid in a URL is left out, and the rest is kept', () => {
  const filters = callFiltersSchema.parse({
    status: 'ended',
    ended_reason: 'nonsense',
    agent_id: 'nobody',
    to_number: 12_025_550_100,
    created_after: '2026-11-20T14:26:00Z',
    page: '7',
  });
  expect(filterParams(filters).toString()).toBe('status=ended&created_after=2026-11-20T14%3A26%3A00Z');
  expect(countFilters(filters)).toBe(2);
});

test('a plus sign is sent so that it arrives as one', () => {
  const filters = callFiltersSchema.parse({ to_number: '+12025550100' });
  expect(filterParams(filters).toString()).toBe('to_number=%2B12025550100');
});

test('numbers are taken as people write them', () => {
  expect(normaliseNumber(' +1 (202) 555-0100 ')).toBe('+12025550100');
  expect(normaliseNumber('001 202.555.0100')).toBe('+12025550100');
  expect(normaliseNumber('Zoë')).toBe('Zoë');
});
