import { callingPolicySettingsSchema, POLICY_PACKS, WEEKDAYS, type CallingPolicySettings } from '@outdial/contracts';
import { PACKS } from '@outdial/policies';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { completeTime } from '../../../shared/forms/complete-time.ts';
import { weekOf } from '../../../shared/week/week-draft.ts';
import { addTime, copyDay } from '../../../shared/week/week-edits.ts';
import { policyDraftOf, policySettingsOf, type PolicyDraft } from './policy-draft.ts';
import { policyErrors, policyPath } from './policy-errors.ts';

const times = fc.subarray(['00:00-07:30', '08:00-12:00', '14:00-18:00', '20:00-24:00']);
const week = fc.record({ mon: times, tue: times, wed: times, thu: times, fri: times, sat: times, sun: times });
const settings = fc
  .record({
    pack: fc.constantFrom(null, ...POLICY_PACKS),
    windows: fc.dictionary(fc.constantFrom('default', 'US-FL', 'GB', 'CA-QC'), week, { noNullPrototype: true }),
    closed_days: fc.subarray(['2026-12-25', '2027-01-01']),
    trust_given_zone: fc.boolean(),
    caps: fc.array(fc.record({ hours: fc.integer({ min: 1, max: 720 }), max: fc.integer({ min: 1, max: 50 }) }), {
      maxLength: 5,
    }),
  })
  .map((input) => callingPolicySettingsSchema.parse(input));

test('a policy is the same after a way through the form, and has no errors', () => {
  fc.assert(
    fc.property(settings, (settings: CallingPolicySettings) => {
      const draft = policyDraftOf(settings);
      expect(policyErrors(draft)).toEqual({});
      expect(policySettingsOf(draft)).toEqual(settings);
    }),
  );
});

const start = policyDraftOf(PACKS.us.settings);
const withMonday = (...mon: string[]): PolicyDraft => ({
  ...start,
  everywhere: { is_on: true, week: { ...start.everywhere.week, mon } },
});

test.each<[string, PolicyDraft]>([
  ['everywhere.week.mon.0', withMonday('8 to midnight')],
  ['everywhere.week.mon.1', withMonday('08:00-12:00', '22:00-06:00')],
  ['everywhere.week.mon', withMonday('08:00-12:00', '11:00-13:00')],
  ['everywhere.week.mon.0', withMonday('eight', '07:00-13:00')],
  ['regions.4.region', { ...start, regions: [...start.regions, { region: 'Florida', week: start.everywhere.week }] }],
  ['regions.4.region', { ...start, regions: [...start.regions, { region: 'us-fl', week: start.everywhere.week }] }],
  ['regions.4.region', { ...start, regions: [...start.regions, { region: ' ', week: start.everywhere.week }] }],
  ['caps.0.hours', { ...start, caps: [{ hours: '', max: 3 }] }],
  ['caps.1.max', { ...start, caps: [...start.caps.slice(0, 1), { hours: 24, max: 51 }] }],
  ['closed_days.0', { ...start, closed_days: ['someday', '2026-12-25'] }],
])('an error of a draft is at its field: %s', (path, draft) => {
  expect(Object.keys(policyErrors(draft))).toEqual([path]);
});

test('an error of the service is at the same field', () => {
  expect(policyPath(start, 'windows.default.mon.0')).toBe('everywhere.week.mon.0');
  expect(policyPath(start, 'windows.US-MD.sun')).toBe('regions.1.week.sun');
  expect(policyPath(start, 'windows.US-MD')).toBe('regions.1.region');
  expect(policyPath(start, 'windows')).toBe('regions');
  expect(policyPath({ ...start, closed_days: ['2027-01-01', '2026-12-25'] }, 'closed_days.0')).toBe('closed_days.1');
  expect(policyPath(start, 'caps.1.max')).toBe('caps.1.max');
});

test('hours that are not limited are not sent', () => {
  const draft = { ...withMonday('nonsense'), regions: [] };
  expect(policySettingsOf({ ...draft, everywhere: { ...draft.everywhere, is_on: false } }).windows).toEqual({});
});

test.each([
  ['8-21', '08:00-21:00'],
  [' 8:30 – 12:00 ', '08:30-12:00'],
  ['0900-1730', '09:00-17:30'],
  ['9 to 17', '09:00-17:00'],
  ['8-9pm', '8-9pm'],
])('a time may be typed as %j', (typed, time) => {
  expect(completeTime(typed)).toBe(time);
});

test('the times of a day are copied to the weekdays or to every day', () => {
  const monday = weekOf((day) => (day === 'mon' ? ['09:00-17:00'] : []));
  const copied = copyDay(monday, 'mon', 'weekdays');
  expect(WEEKDAYS.filter((day) => copied[day].length > 0)).toEqual(['mon', 'tue', 'wed', 'thu', 'fri']);
  expect(WEEKDAYS.every((day) => copyDay(monday, 'mon', 'week')[day][0] === '09:00-17:00')).toBe(true);
});

test('another time begins after the last one', () => {
  expect(addTime([])).toEqual(['08:00-21:00']);
  expect(addTime(['08:00-12:00'])).toEqual(['08:00-12:00', '13:00-24:00']);
  expect(addTime(['08:00-24:00'])).toEqual(['08:00-24:00', '']);
});
