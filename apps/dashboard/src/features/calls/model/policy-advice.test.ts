import { expect, test } from 'vitest';
import { policyAdvice } from './policy-advice.ts';

const closed = {
  verdict: 'outside_calling_window',
  opens_at: '2026-12-01T13:00:00.000Z',
  capped_until: null,
} as const;
const capped = { ...closed, verdict: 'frequency_capped', opens_at: null, capped_until: closed.opens_at } as const;
const now = { when: 'now', waits_for_hours: false } as const;
const later = { when: 'later', waits_for_hours: false } as const;

test('a call outside the hours is refused, unless it waits or is placed for later', () => {
  expect(policyAdvice(closed, now)).toContain('unless you choose “Wait until the hours open”');
  expect(policyAdvice(closed, { ...now, waits_for_hours: true })).toBe('The call waits until then.');
  expect(policyAdvice(closed, later)).toBe('The call waits until then.');
});

test('hours that never open refuse every call', () => {
  for (const values of [now, later, { ...now, waits_for_hours: true }]) {
    expect(policyAdvice({ ...closed, opens_at: null }, values)).toBe('The call is refused.');
  }
});

test('a wait for the hours does not help a number that was called too often', () => {
  expect(policyAdvice(capped, { ...now, waits_for_hours: true })).toBe('A call now is refused: schedule it for later.');
  expect(policyAdvice(capped, later)).toBe('The call waits until then.');
});
