import { endedReasons } from '@outdial/contracts';
import { expect, test } from 'vitest';
import { RETRY_REASONS, WAITS } from '../../../shared/retry/retry-draft.ts';
import { canExpire, NO_SCHEDULE, readSchedule, type ScheduleValues } from './placement-schedule.ts';

const nowMs = new Date('2026-11-28T08:00:00').getTime();
const read = (part: Partial<ScheduleValues>) => readSchedule({ ...NO_SCHEDULE, ...part }, nowMs);
const retry = (part: Partial<ScheduleValues['retry']>) => ({ retry: { ...NO_SCHEDULE.retry, is_on: true, ...part } });

test('a call that is dialed now and once says nothing of when', () => {
  expect(read({})).toEqual({ schedule: {}, errors: null });
  // Hidden fields keep what was typed, and are not sent.
  expect(read({ scheduled_for: '2026-11-30T09:00', expires_at: '2026-11-30T10:00' }).schedule).toEqual({});
});

test('a later call is sent with its time and the offset of the user’s time zone', () => {
  const { schedule } = read({ when: 'later', scheduled_for: '2026-11-30T09:00', expires_at: '2026-11-30T17:00' });
  expect(schedule?.scheduled_for).toMatch(/^2026-11-30T09:00:00[+-]\d\d:\d\d$/);
  expect(Date.parse(schedule?.scheduled_for ?? '')).toBe(new Date('2026-11-30T09:00').getTime());
  expect(schedule?.expires_at).toMatch(/^2026-11-30T17:00:00[+-]\d\d:\d\d$/);
});

test.each<[string, Partial<ScheduleValues>, Record<string, string>]>([
  ['no time', { scheduled_for: '' }, { scheduled_for: 'Choose a date and time' }],
  ['a past time', { scheduled_for: '2026-11-28T07:58' }, { scheduled_for: 'Is more than 60 seconds past' }],
  ['a far time', { scheduled_for: '2027-03-01T08:00' }, { scheduled_for: 'Is more than 90 days ahead' }],
  [
    'an end before its beginning',
    { scheduled_for: '2026-11-30T09:00', expires_at: '2026-11-30T09:00' },
    { expires_at: 'Must be after the date and time of the call' },
  ],
  [
    'a far end',
    { scheduled_for: '2026-11-30T09:00', expires_at: '2027-03-01T08:00' },
    { expires_at: 'Is more than 90 days ahead' },
  ],
])('a later call with %s has an error at that field', (_, part, errors) => {
  expect(read({ when: 'later', ...part })).toEqual({ schedule: null, errors });
});

test('a time that has just passed counts as now', () => {
  expect(read({ when: 'later', scheduled_for: '2026-11-28T07:59' }).errors).toBeNull();
});

test('a call that waits for a slot or has retries may have a time to give up, in the future', () => {
  expect(read({ waits_for_slot: true }).schedule).toEqual({ on_capacity: 'queue' });
  expect(read({ waits_for_slot: true, expires_at: '2026-11-28T08:00' }).errors).toEqual({
    expires_at: 'Must be in the future',
  });
  expect([{}, { waits_for_slot: true }, retry({})].map((part) => canExpire({ ...NO_SCHEDULE, ...part }))).toEqual([
    false,
    true,
    true,
  ]);
});

test('a later call waits for a slot by itself', () => {
  const { schedule } = read({ when: 'later', scheduled_for: '2026-11-30T09:00', waits_for_slot: true });
  expect(schedule).not.toHaveProperty('on_capacity');
});

test('retries name their reasons, and their wait unless it is the default', () => {
  expect(read(retry({ on: ['no_answer', 'busy'] })).schedule?.retry).toEqual({
    max_attempts: 3,
    on: ['busy', 'no_answer'],
  });
  expect(read(retry({ after_seconds: '300' })).schedule?.retry?.after_seconds).toEqual([300]);
});

test.each<[Partial<ScheduleValues['retry']>, Record<string, string>]>([
  [{ max_attempts: 1 }, { 'retry.max_attempts': 'Must be at least 2' }],
  [{ max_attempts: 11 }, { 'retry.max_attempts': 'Must be at most 10' }],
  [{ max_attempts: '' }, { 'retry.max_attempts': 'Must be a whole number from 2 to 10' }],
  [{ on: [] }, { 'retry.on': 'Must name at least one reason' }],
])('retries with %j have an error in the words of the API', (part, errors) => {
  expect(read(retry(part)).errors).toEqual(errors);
});

test('every reason and every wait that the form offers is one that the API accepts', () => {
  for (const after_seconds of WAITS) expect(read(retry({ on: RETRY_REASONS, after_seconds })).errors).toBeNull();
  expect(endedReasons).toEqual(expect.arrayContaining([...RETRY_REASONS]));
});

test('a call that is dialed now waits for the calling hours if the user says so, and a later one always does', () => {
  expect(read({ waits_for_hours: true }).schedule).toEqual({ on_closed: 'wait' });
  const later = read({ waits_for_hours: true, when: 'later', scheduled_for: '2026-11-30T09:00' }).schedule;
  expect(Object.keys(later ?? {})).toEqual(['scheduled_for']);
  expect(canExpire({ ...NO_SCHEDULE, waits_for_hours: true })).toBe(true);
});
