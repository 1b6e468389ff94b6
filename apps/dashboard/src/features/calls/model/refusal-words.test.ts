import { ERROR_CODES } from '@outdial/contracts';
import { expect, test } from 'vitest';
import { refusalOf } from './refusal-words.ts';

const money = (amount: number, currency: string) => `${amount} ${currency}`;
const refuse = (code: (typeof ERROR_CODES)[number], details?: unknown) =>
  refusalOf({ code, message: 'What the service says.', details }, money);

test('every error has a title and a sentence', () => {
  for (const code of ERROR_CODES) {
    const { title, text } = refuse(code);
    expect(title).toMatch(/^[A-Z].*[^.]$/);
    expect(text).toMatch(/\.$/);
  }
});

test('insufficient funds show both amounts and link to the wallet', () => {
  const { text, remedy } = refuse('insufficient_funds', { required: 0.024, available: 0.01, currency: 'USD' });
  expect(text).toContain('0.024 USD');
  expect(text).toContain('0.01 USD');
  expect(remedy).toEqual({ kind: 'wallet' });
});

test('the account’s call limit is distinguished from the service’s capacity', () => {
  expect(refuse('capacity_exceeded', { scope: 'account', limit: 10, in_use: 10 }).text).toContain('10 calls');
  expect(refuse('capacity_exceeded', { scope: 'system' }).title).toBe('The service is at capacity');
});

test('a request whose outcome is unknown is retried with the same key', () => {
  expect(refuse('outcome_unknown', { call_id: 'abc' }).remedy).toEqual({ kind: 'ask_again', callId: 'abc' });
  const lost = refusalOf({ code: 'unreachable', message: 'No answer.' }, money);
  expect(lost.remedy).toEqual({ kind: 'ask_again', callId: null });
});
