import { expect, test } from 'vitest';
import { callFiltersSchema, countFilters, filterParams } from './call-filters.ts';

test('invalid values in a URL are dropped, and the rest is kept', () => {
  const filters = callFiltersSchema.parse({
    status: 'ended',
    ended_reason: 'nonsense',
    agent_id: 'nobody',
    campaign_id: 'none',
    to_number: 12_025_550_100,
    created_after: '2026-11-20T14:26:00Z',
    page: '7',
  });
  expect(filterParams(filters).toString()).toBe('status=ended&created_after=2026-11-20T14%3A26%3A00Z');
  expect(countFilters(filters)).toBe(2);
});

test('a plus sign is encoded, so that it survives the query string', () => {
  const filters = callFiltersSchema.parse({ to_number: '+12025550100' });
  expect(filterParams(filters).toString()).toBe('to_number=%2B12025550100');
});
