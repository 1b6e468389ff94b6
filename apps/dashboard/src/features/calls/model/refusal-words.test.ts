import { ERROR_CODES } from '@outdial/contracts';
import { expect, test } from 'vitest';
import { refusalOf } from './refusal-words.ts';

const money = (amount: number, currency: string) => `${amount} ${currency}`;
const refuse = (code: (typeof ERROR_CODES)[number], details?: unknown) =>
  refusalOf({ code, message: 'What the service says.', details }, money);

test('every refusal has a title, and a sentence that says what to do', () => {
  for (const code of ERROR_CODES) {
    const { title, text } = refuse(code);
    expect(title).toMatch(/^[A-Z].*[^.]$/);
    expect(text).toMatch(/\.$/);
  }
});

test('funds that do not suffice are told with both amounts and lead to the wallet', () => {
  const { text, remedy } = refuse('insufficient_funds', { required: 0.024, available: 0.01, currency: 'USD' });
  expect(text).toContain('0.024 USD');
  expect(text).toContain('0.01 USD');
  expect(remedy).toEqual({ kind: 'wallet' });
});

test('of the lines, those of the account are told apart from those of the service', () => {
  expect(refuse('capacity_exceeded', { scope: 'account', limit: 10, in_use: 10 }).text).toContain('10 calls');
  expect(refuse('capacity_exceeded', { scope: 'system' }).title).toBe('The service can take no more calls just now');
});

test('what may have been placed is asked for again, never anew', () => {
  expect(refuse('outcome_unknown', { call_id: 'abc' }).remedy).toEqual({ kind: 'ask_again', callId: 'abc' });
  const lost = refusalOf({ code: 'unreachable', message: 'No answer.' }, money);
  expect(lost.remedy).toEqual({ kind: 'ask_again', callId: null });
});
