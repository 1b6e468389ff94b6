import { ERROR_CODES } from '@outdial/contracts';
import { expect, test } from 'vitest';
import { ApiError } from '../../../shared/api/api-error.ts';
import { placementErrorOf, placementFieldErrors } from './placement-error.ts';

const formats = {
  money: (amount: number, currency: string) => `${amount} ${currency}`,
  time: (iso: string) => iso.slice(11, 16),
};
const errorFor = (code: (typeof ERROR_CODES)[number], details?: unknown) =>
  placementErrorOf({ code, message: 'A message of the service.', details }, formats);

test('every error has a title and a sentence', () => {
  for (const code of ERROR_CODES) {
    const { title, text } = errorFor(code);
    expect(title).toMatch(/^[A-Z].*[^.]$/);
    expect(text).toMatch(/\.$/);
  }
});

test('insufficient funds show both amounts and link to the wallet', () => {
  const { text, remedy } = errorFor('insufficient_funds', { required: 0.024, available: 0.01, currency: 'USD' });
  expect(text).toContain('0.024 USD');
  expect(text).toContain('0.01 USD');
  expect(remedy).toEqual({ kind: 'wallet' });
});

test('the account’s call limit is distinguished from the service’s capacity', () => {
  expect(errorFor('capacity_exceeded', { scope: 'account', limit: 10, in_use: 10 }).text).toContain('10 open calls');
  expect(errorFor('capacity_exceeded', { scope: 'system' }).title).toBe('The service is at capacity');
});

test('a request whose outcome is unknown is retried with the same key', () => {
  expect(errorFor('outcome_unknown', { call_id: 'abc' }).remedy).toEqual({ kind: 'retry_safely', callId: 'abc' });
  const lost = placementErrorOf({ code: 'unreachable', message: 'No answer.' }, formats);
  expect(lost.remedy).toEqual({ kind: 'retry_safely', callId: null });
});

test('a number on a do-not-call list is named at its field, and the list is one step away', () => {
  const refused = new ApiError({ code: 'suppressed', message: 'For programs.', status: 403, param: 'to_number' });
  expect(placementFieldErrors(refused)).toEqual({ to_number: 'On a do-not-call list' });
  expect(errorFor('suppressed').remedy).toEqual({ kind: 'do_not_call' });
});

test('closed calling hours say when they open, and what a number of no place lacks', () => {
  const refused = new ApiError({ code: 'outside_calling_window', message: 'For programs.', status: 403 });
  expect(placementFieldErrors(refused)).toEqual({ to_number: 'Outside calling hours' });
  const opens_at = '2026-12-01T13:00:00.000Z';
  const closed = errorFor('outside_calling_window', { opens_at, zones: ['America/New_York'] });
  expect(closed.text).toContain('closed until 13:00. Place the call then, or let it wait');
  expect(closed.remedy).toEqual({ kind: 'calling_hours' });
  expect(errorFor('outside_calling_window', { opens_at: null, zones: ['Asia/Tokyo'] }).text).toContain('90 days');
  expect(errorFor('outside_calling_window', { opens_at: null, zones: [] }).text).toContain(
    'give the callee’s time zone',
  );
});

test('a number that was called too often says after when it may be called again', () => {
  expect(errorFor('frequency_capped', { until: '2026-12-01T13:00:00.000Z' }).text).toContain('for after 13:00.');
  expect(errorFor('frequency_capped', { until: null }).text).toContain('for later.');
});
