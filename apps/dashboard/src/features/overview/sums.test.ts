import { endedReasons } from '@outdial/contracts';
import { expect, test } from 'vitest';
import { countOutcomes } from './outcomes.ts';
import { answerRate, averageSpan } from './sums.ts';

test('rates and averages of zero calls are a dash', () => {
  expect([answerRate({ calls: 0, answered: 0 }), averageSpan(0, 0)]).toEqual(['–', '–']);
  expect([answerRate({ calls: 8, answered: 3 }), averageSpan(3, 4), averageSpan(150, 2)]).toEqual([
    '38%',
    '0.8 s',
    '1 min 15 s',
  ]);
});

test('every ended reason belongs to one outcome, so that outcomes add up to all calls', () => {
  const reasons = Object.fromEntries(endedReasons.map((reason) => [reason, 2]));
  const counts = Object.values(countOutcomes(reasons));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(endedReasons.length * 2);
  expect(counts.every((count) => count > 0)).toBe(true);
});
