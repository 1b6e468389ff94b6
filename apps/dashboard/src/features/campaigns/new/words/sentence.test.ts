import { expect, test } from 'vitest';
import { weekOf } from '../../../../shared/week/week-draft.ts';
import { campaignSentences, type CampaignPlan } from './sentence.ts';

const OFFICE = weekOf((day) => (day === 'sat' || day === 'sun' ? [] : ['09:00-17:00']));
const NEW_YORK = { time_zone: 'America/New_York', days: OFFICE };
/** A Friday, 11:00 in New York. */
const NOW = Date.parse('2026-11-27T16:00:00Z');
const SATURDAY = Date.parse('2026-11-28T16:00:00Z');
const FORMATS = { money: (amount: number) => `$${amount}`, time: (iso: string) => iso.slice(0, 16) };
const PLAN: CampaignPlan = {
  contacts: 1_240,
  agent: { name: 'Reminder', version: 3 },
  callsPerSecond: 5,
  maxConcurrent: 20,
  window: NEW_YORK,
  attempts: 3,
  budget: 200,
  startsAt: null,
  endsAt: null,
  hasCallingHours: false,
};
const NO_BOUNDS = { callsPerSecond: null, maxConcurrent: null, window: null, attempts: 1, budget: null };
const words = (changes: Partial<CampaignPlan>, nowMs = NOW) =>
  campaignSentences({ ...PLAN, ...changes }, nowMs, FORMATS).join(' ');
/** Without the sentence on whom it calls. */
const rest = (changes: Partial<CampaignPlan>, nowMs = NOW) =>
  campaignSentences({ ...PLAN, ...changes }, nowMs, FORMATS)
    .slice(1)
    .join(' ');

test('a campaign says whom it calls, how fast, when, how often and until which cost', () => {
  expect(words({})).toBe(
    'Calls 1,240 people with agent “Reminder” (version 3), at most 5 a second and 20 at once, Monday to Friday 9:00–17:00 New York time, each up to 3 times, and stops at $200. The first call begins now.',
  );
});

test('what has no bound is said too', () => {
  expect(words({ ...NO_BOUNDS, contacts: 1 })).toBe(
    'Calls 1 person with agent “Reminder” (version 3), as many at once as your account has slots for, at any hour, each once. The first call begins now.',
  );
  expect(words({ ...NO_BOUNDS, contacts: null, maxConcurrent: 2 })).toContain(
    'Calls everyone in the file with agent “Reminder” (version 3), at most 2 at once, at any hour',
  );
});

test('hours of several kinds are all named', () => {
  const days = { ...weekOf(() => ['00:00-24:00']), sat: ['09:30-12:00', '14:00-18:00'], sun: [] };
  expect(words({ window: { time_zone: 'America/Port_of_Spain', days } })).toContain(
    'Monday to Friday all day and Saturday 9:30–12:00 and 14:00–18:00 Port of Spain time',
  );
  expect(words({ window: { ...NEW_YORK, days: weekOf(() => ['08:00-24:00']) } })).toContain('every day 8:00–24:00');
});

test.each<[string, Partial<CampaignPlan>, number, string]>([
  ['its hours open', {}, SATURDAY, 'when these hours open: Monday, November 30, 9:00 New York time.'],
  ['it is started', { startsAt: '2026-11-27T15:00:00Z' }, NOW, 'The first call begins now.'],
  ['its time comes', { startsAt: '2026-11-30T15:00:00Z' }, NOW, 'The first call begins on 2026-11-30T15:00.'],
  [
    'its hours open after that time',
    { startsAt: '2026-11-30T23:00:00Z' },
    NOW,
    'when these hours open: Tuesday, December 1, 9:00 New York time.',
  ],
])('the first call begins when %s', (_, changes, nowMs, expected) => {
  expect(rest(changes, nowMs)).toContain(expected);
});

test('a campaign that never calls says so', () => {
  expect(rest({ endsAt: '2026-11-29T09:00:00Z' }, SATURDAY)).toContain('these hours open only after the end');
  expect(rest({ window: { ...NEW_YORK, days: weekOf(() => []) } })).toContain('do not open within 90 days');
});

test('the end and the calling hours of the account are said', () => {
  expect(rest({ endsAt: '2026-12-31T09:00:00Z', hasCallingHours: true })).toBe(
    'The first call begins now. No call begins after 2026-12-31T09:00. Your calling hours hold besides, by each callee’s clock.',
  );
});
