import { callingPolicySettingsSchema, OPEN_POLICY, type CallingPolicySettings } from '@outdial/contracts';
import { PACKS } from '@outdial/policies';
import { expect, test } from 'vitest';
import { policyChanges, policySentences } from './policy-words.ts';
import { weekWords } from '../../../shared/words/week-words.ts';

const TODAY = '2026-11-28';
const settings = (part: object): CallingPolicySettings => callingPolicySettingsSchema.parse(part);
const week = (part: object) => settings({ windows: { default: part } }).windows['default'] ?? expect.fail();
const sentences = (part: object) => policySentences(settings(part), TODAY);

test('days with the same times are said together, and days without times are closed', () => {
  const workday = ['08:00-21:00'];
  expect(weekWords(week({ mon: workday, tue: workday, wed: workday, thu: workday, fri: workday }))).toBe(
    'Mon–Fri 08:00–21:00, closed on Sat–Sun',
  );
  expect(weekWords(week({ mon: ['09:00-12:00', '14:00-18:00'], sat: ['00:00-24:00'] }))).toBe(
    'Mon 09:00–12:00 and 14:00–18:00, Sat all day, closed on Tue–Fri, Sun',
  );
  expect(weekWords(week({}))).toBe('closed every day');
});

test('the rules of the United States fit into a few sentences', () => {
  expect(policySentences(PACKS.us.settings, TODAY)).toEqual([
    'Every day 08:00–21:00, by the callee’s clock.',
    'Florida, Maryland, Oklahoma and Washington State only until 20:00.',
    'At most 3 calls to a number in 24 hours.',
    'At most 7 calls to a number in 7 days.',
  ]);
});

test('a policy without rules says that every hour is open', () => {
  expect(policySentences(OPEN_POLICY, TODAY)).toEqual(['Every hour is open.']);
  expect(sentences({ windows: { GB: { mon: ['09:00-17:00'] } } })).toEqual([
    'Every hour is open except in some regions.',
    'United Kingdom only Mon 09:00–17:00, closed on Tue–Sun.',
  ]);
});

test('closed days are counted, and the next one is named', () => {
  expect(sentences({ closed_days: ['2026-01-01', '2027-01-01', '2026-12-25'] })[1]).toBe(
    'No calls on 3 dates, next on 25 Dec 2026.',
  );
  expect(sentences({ closed_days: ['2026-01-01'] })[1]).toBe('No calls on 1 date, all of them past.');
});

test('a change is said by the sentences that come and go', () => {
  const after = { ...PACKS.standard.settings, caps: [{ hours: 1, max: 1 }] };
  expect(policyChanges(PACKS.standard.settings, after, TODAY)).toEqual({
    added: ['At most 1 call to a number in an hour.'],
    removed: ['At most 3 calls to a number in 24 hours.'],
  });
});
