import { expect, test } from 'vitest';
import { orderTests, type OrderedTest } from './order-tests.ts';

const file = (project: string, durationMs: number, changes: Partial<OrderedTest> = {}): OrderedTest => ({
  project,
  durationMs,
  groupOrder: 0,
  isolate: false,
  ...changes,
});
const namesOf = (tests: readonly OrderedTest[]) => orderTests(tests).map((one) => `${one.project} ${one.durationMs}`);

test('groups keep their order, each with its longest file first', () => {
  const late = file('late', 9, { groupOrder: 1 });
  expect(namesOf([late, file('early', 1), file('early', 3), file('early', 2)])).toEqual([
    'early 3',
    'early 2',
    'early 1',
    'late 9',
  ]);
});

test('files that share processes stay together by project, so that no process starts twice', () => {
  expect(namesOf([file('short', 3), file('long', 1), file('short', 2), file('long', 9)])).toEqual([
    'long 9',
    'long 1',
    'short 3',
    'short 2',
  ]);
});

test('files with their own process come first, whatever their project', () => {
  const own = { isolate: true };
  expect(namesOf([file('shared', 9), file('one', 1, own), file('two', 3, own), file('one', 5, own)])).toEqual([
    'one 5',
    'two 3',
    'one 1',
    'shared 9',
  ]);
});
