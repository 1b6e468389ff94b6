import type { Turn } from '@outdial/contracts';
import { array, assert, integer, property, tuple } from 'fast-check';
import { expect, test } from 'vitest';
import { activeTurn, neighboringTurn } from './active-turn.ts';

const turn = (start_ms: number, end_ms: number): Turn => ({
  role: 'agent',
  text: 'Hello.',
  start_ms,
  end_ms,
  source: 'script',
  interrupted: false,
});

const turnsArbitrary = array(tuple(integer({ min: 0, max: 2_000 }), integer({ min: 0, max: 500 })), {
  maxLength: 30,
}).map((spans) =>
  spans.toSorted(([one], [other]) => one - other).map(([start, length]) => turn(start, start + length)),
);

test('the active turn is the latest one that covers the moment', () => {
  assert(
    property(turnsArbitrary, integer({ min: 0, max: 2_600 }), (turns, atMs) => {
      const heard = turns.filter(({ start_ms, end_ms }) => start_ms <= atMs && atMs < end_ms);
      const index = activeTurn(turns, atMs);
      const active = index === null ? undefined : turns[index];
      expect(active?.start_ms).toBe(
        heard.length === 0 ? undefined : Math.max(...heard.map(({ start_ms }) => start_ms)),
      );
      if (active) expect(heard).toContain(active);
    }),
  );
});

test('an interrupting turn is active, and afterwards the turn that continues', () => {
  const turns = [turn(0, 5_000), turn(2_000, 3_000)];
  expect(activeTurn(turns, 1_000)).toBe(0);
  expect(activeTurn(turns, 2_000)).toBe(1);
  expect(activeTurn(turns, 3_000)).toBe(0);
  expect(activeTurn(turns, 5_000)).toBeNull();
});

test('a step back within the first second of a turn goes to the previous one', () => {
  const turns = [turn(0, 1_000), turn(4_000, 6_000), turn(7_000, 8_000)];
  expect(neighboringTurn(turns, 4_500, 'back')).toBe(0);
  expect(neighboringTurn(turns, 5_500, 'back')).toBe(1);
  expect(neighboringTurn(turns, 500, 'back')).toBeNull();
});

test('steps forward reach every turn once, in order', () => {
  assert(
    property(turnsArbitrary, (turns) => {
      const starts = new Set<number>();
      for (let atMs = -1; ;) {
        const next = neighboringTurn(turns, atMs, 'forward');
        const reached = next === null ? undefined : turns[next];
        if (reached === undefined) break;
        expect(reached.start_ms).toBeGreaterThan(atMs);
        starts.add((atMs = reached.start_ms));
      }
      expect(starts).toEqual(new Set(turns.map(({ start_ms }) => start_ms)));
    }),
  );
});
