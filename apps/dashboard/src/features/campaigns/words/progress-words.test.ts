import { expect, test } from 'vitest';
import { campaignOf } from '../campaign-fixture.ts';
import {
  answerRateWords,
  budgetWords,
  donePercent,
  doneWords,
  finishWords,
  outcomeRows,
  restWords,
  shareWords,
} from './progress-words.ts';

const time = (iso: string) => iso.slice(0, 16);

test('only a campaign whose contacts are all done has 100 percent', () => {
  expect(donePercent({ contacts: 0, done: 0 })).toBe(0);
  expect(donePercent({ contacts: 1_000, done: 999 })).toBe(99);
  expect(donePercent({ contacts: 3, done: 3 })).toBe(100);
  expect(doneWords({ contacts: 1, done: 0 })).toBe('0 of 1 contact');
  expect(doneWords({ contacts: 0, done: 0 })).toBe('No contacts yet');
});

test('the contacts that are not done are where they are', () => {
  expect(restWords(campaignOf().progress)).toBe('500 remaining, 60 waiting, 8 open');
  const over = { remaining: 0, waiting: 0, open: 0, not_dialled: 12 };
  expect(restWords(campaignOf({ progress: over }).progress)).toBe('12 not dialed');
  expect(restWords(campaignOf({ progress: { ...over, not_dialled: 0 } }).progress)).toBe('None left');
});

test('outcomes are ordered by how many contacts had them, with their shares', () => {
  const rows = outcomeRows(campaignOf().progress);
  expect(rows.map(({ reason, contacts, share }) => [reason, contacts, shareWords(share)])).toEqual([
    ['agent_hangup', 300, '69%'],
    ['busy', 100, '23%'],
    ['no_answer', 31, '7%'],
    ['suppressed', 1, '<1%'],
  ]);
  expect(outcomeRows({ by_reason: {} })).toEqual([]);
});

test('a rate and a budget that are not there are not zero', () => {
  expect(answerRateWords({ answer_rate: null })).toBe('–');
  expect(answerRateWords({ answer_rate: 0.336 })).toBe('34%');
  expect(budgetWords(campaignOf(), 'USD')).toBe('31% of the budget of $40.00');
  expect(budgetWords(campaignOf({ budget: null }), 'USD')).toBe('No budget');
});

test('the finish is known, or it is said why not', () => {
  expect(finishWords(campaignOf(), time).value).toBe('2026-12-01T16:00');
  const unknown = { estimated_finish_at: null };
  expect(finishWords(campaignOf({ progress: unknown }), time).hint).toBe('Known after a few minutes of calls');
  expect(finishWords(campaignOf({ progress: { ...unknown, held_by: 'funds' } }), time).hint).toBe(
    'Not while it is held up',
  );
  expect(finishWords(campaignOf({ state: 'paused', progress: unknown }), time).hint).toBe('While it runs');
  const ended = campaignOf({ state: 'completed', ended_at: '2026-12-01T15:00:00.000Z', progress: unknown });
  expect(finishWords(ended, time)).toEqual({ value: '2026-12-01T15:00', hint: 'It is over' });
});
