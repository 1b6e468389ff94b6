import { expect, test } from 'vitest';
import { columnSentences } from './column-words.ts';
import { contactProblems } from './contact-problems.ts';
import { hoursWords, paceWords, retryWords } from './settings-words.ts';
import { uploadSentences } from './upload-words.ts';

const READY = { state: 'ready', rows: 1_207, accepted: 1_200, duplicates: 4, invalid: 3 } as const;

test('an upload reports every line: added, there before, or no contact', () => {
  expect(uploadSentences(READY)).toEqual([
    '1,200 contacts added.',
    '4 were there before, or twice.',
    '3 lines are no contact, and left out.',
  ]);
  expect(uploadSentences({ ...READY, duplicates: 0, invalid: 0 })).toEqual(['1,200 contacts added.']);
  expect(uploadSentences({ ...READY, rows: 0 })).toEqual(['It has no contacts.']);
  expect(uploadSentences({ ...READY, state: 'failed' })).toEqual(['Nothing of it was added.']);
});

test('a file’s columns are named as the campaign reads them', () => {
  const columns = { to_number: 'Mobile', variables: { name: 'First name' } };
  const words = columnSentences({ columns, default_country: 'US' }).join(' ');
  expect(words).toContain('The numbers are in the column “Mobile”.');
  expect(words).toContain('Numbers without a country code are of US.');
  expect(words).toContain('“First name” is name');
  expect(columnSentences({ columns: {}, default_country: null }).join(' ')).toContain('phone, phone_number');
});

test('what the service says of a contact is at its number', () => {
  const errors = { 'contacts.1.variables.name': 'Is missing', other: 'x' };
  expect(contactProblems(errors, ['+12025550101', '+12025550102'])).toEqual([
    { line: 2, text: '+1 202 555 0102', message: 'Is missing' },
  ]);
});

test('settings are put in words', () => {
  expect(paceWords({ calls_per_second: null, max_concurrent: null })).toBe('As slots allow');
  expect(paceWords({ calls_per_second: 1, max_concurrent: 10 })).toBe('At most 1 call a second, 10 open at once');
  expect(hoursWords(null)).toBe('Any hour that the calling policy allows');
  expect(retryWords(null)).toBe('None: each contact is called once');
  expect(retryWords({ max_attempts: 3, on: ['busy', 'no_answer'], after_seconds: [900, 3_600] })).toBe(
    'Up to 3 calls, after busy or no answer; waits 15 min, then 1 h',
  );
});
