import type { CallEventBody } from '@outdial/contracts';
import { expect, test } from 'vitest';
import { analysisCostWords, analysisStatusWords, dataWords, successWords } from './analysis-words.ts';

const analyzed = (data: Record<string, unknown>): CallEventBody => ({
  id: '9',
  at: '2026-11-20T14:26:00.123Z',
  type: 'analyzed',
  data,
});
const words = (status: Parameters<typeof analysisStatusWords>[0]['analysis_status'], events: CallEventBody[] = []) =>
  analysisStatusWords({ analysis_status: status }, events);

test('an analysis that is not there has a reason', () => {
  expect(words('pending')).toMatch('being analyzed');
  expect(words('failed')).toBe('The analysis failed.');
  expect(words('skipped', [analyzed({ problem: 'insufficient_funds' })])).toBe(
    'The analysis was skipped. The balance does not cover the analysis.',
  );
  expect(words('failed', [analyzed({ problem: 'from a later version' })])).toBe('The analysis failed.');
  expect([words('none'), words('completed')]).toEqual([null, null]);
});

test('success is yes, no or a number of ten', () => {
  expect([true, false, 7].map((value) => successWords({ value, reason: '' }))).toEqual(['Yes', 'No', '7 of 10']);
});

test('every value of the extracted data has words', () => {
  expect([null, '', 'Monday', true, false, 0, 2.5, [], ['a', 1], { b: 1 }].map(dataWords)).toEqual([
    'Unknown',
    'Unknown',
    'Monday',
    'Yes',
    'No',
    '0',
    '2.5',
    'None',
    'a, 1',
    '{"b":1}',
  ]);
});

test('an analysis says what it used, also on a credential of the account', () => {
  const entry = { component: 'llm', provider: 'openai', model: 'gpt-mini' } as const;
  const usage = (own: boolean) => [
    { ...entry, unit: 'input_text_token' as const, quantity: 800, own_credential: own },
    { ...entry, unit: 'output_text_token' as const, quantity: 50, own_credential: own },
  ];
  const costWords = (own: boolean, cost: number) =>
    analysisCostWords({ model: 'gpt-mini', usage: usage(own), cost }, 'USD');
  expect(costWords(true, 0)).toMatch(
    /^By gpt-mini\. Used: 800 input text tokens, 50 output text tokens\. Cost: .*, on your own credential\.$/,
  );
  expect(costWords(false, 0.1)).toMatch(/charged apart from the call’s\.$/);
  expect(analysisCostWords({ model: 'gpt-mini', usage: [], cost: 0.1 }, 'USD')).toMatch(/^By gpt-mini\. Cost: /);
});
