import { expect, test } from 'vitest';
import type { PlacementSchedule } from './placement-schedule.ts';
import { placementSentences } from './placement-words.ts';

const words = (schedule: PlacementSchedule) => placementSentences(schedule, (iso) => iso.slice(0, 10)).join(' ');
const scheduled_for = '2026-11-30T09:00:00+01:00';
const expires_at = '2026-12-01T09:00:00+01:00';

test('the form says what happens to a call that is dialed now', () => {
  expect(words({})).toBe('The call is dialed now. If all slots are taken, it is not placed.');
  expect(words({ on_capacity: 'queue' })).toContain('it waits until one is free');
  expect(words({ on_closed: 'wait' })).toMatch(
    /closed, it waits until they open\. .* 24 hours of their opening, it ends\.$/,
  );
});

test('the form says when a later call is dialed and when it is given up', () => {
  expect(words({ scheduled_for })).toMatch(/^The call is dialed on 2026-11-30\. .* within 24 hours of that time/);
  expect(words({ scheduled_for, expires_at })).toContain('If no worker dials it by 2026-12-01, it ends.');
});

test('the form says after which ends and how often the call is tried again', () => {
  expect(words({ retry: { max_attempts: 3, on: ['busy', 'no_answer'] } })).toContain(
    'If it ends with busy or no answer, it is tried again after 15 min, then 1 h, with at most 3 calls in all.',
  );
  expect(words({ retry: { max_attempts: 2, on: ['busy'] } })).toContain('again after 15 min, with');
  expect(words({ retry: { max_attempts: 6, on: ['busy'] } })).toContain('15 min, then 1 h, then 4 h each time, with');
  expect(words({ retry: { max_attempts: 3, on: ['busy'], after_seconds: [300] } })).toContain('5 min each time, with');
});

test('the form says when the last retry may begin', () => {
  const retry = { max_attempts: 2, on: ['busy' as const] };
  expect(words({ retry })).toContain('No call begins more than 7 days from now.');
  expect(words({ scheduled_for, retry })).toContain('7 days after that time');
  expect(words({ retry, expires_at })).toContain('No call begins after 2026-12-01.');
});
