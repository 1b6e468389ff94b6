import { liveTurnSchema, transcriptOf, type Turn } from '@outdial/contracts';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTurnLog } from './turn-log.ts';

const turnOf = (changes: Partial<Turn>): Turn => ({
  role: 'callee',
  text: 'Yes.',
  start_ms: 0,
  end_ms: 1_000,
  source: 'stt',
  interrupted: false,
  ...changes,
});
const wordless = (start_ms: number, end_ms: number) =>
  turnOf({ text: null, source: 'untranscribed', start_ms, end_ms });

test('turns are counted in the order in which they became known, and kept until they are stored', () => {
  const log = createTurnLog();
  for (const text of ['One', 'Two']) log.add(turnOf({ text }));
  const first = log.unstored();
  expect(first.map(({ index, text }) => [index, text])).toEqual([
    [0, 'One'],
    [1, 'Two'],
  ]);
  log.add(turnOf({ text: 'Three' }));
  log.markStored(first);
  expect(log.unstored().map(({ index }) => index)).toEqual([2]);
  log.markStored([]);
  expect(log.latest()).toEqual(log.unstored());
});

test('words that come late take the place of the speech at the same time', () => {
  const log = createTurnLog();
  log.add(wordless(0, 900));
  log.add(wordless(1_000, 1_900));
  log.add(wordless(5_000, 5_900));
  log.add(turnOf({ text: 'It is me.', start_ms: 100, end_ms: 1_800 }));
  const turns = log.unstored();
  expect(turns.at(-1)).toMatchObject({ index: 3, replaces: [0, 1] });
  expect(transcriptOf(turns).map(({ text, start_ms }) => [text, start_ms])).toEqual([
    ['It is me.', 100],
    [null, 5_000],
  ]);
});

test('whatever is said, the log stays within its bounds and its turns keep the contract', () => {
  const texts = fc.array(fc.string({ maxLength: 9_000 }), { maxLength: 60 });
  fc.assert(
    fc.property(texts, (said) => {
      const log = createTurnLog();
      const kept = said.map((text) => log.add(turnOf({ text })));
      // Once a turn is refused, all later ones are: the log has no gaps.
      expect(kept.indexOf(false) === -1 || kept.lastIndexOf(true) < kept.indexOf(false)).toBe(true);
      expect(log.unstored().reduce((sum, { text }) => sum + (text?.length ?? 0), 0)).toBeLessThanOrEqual(100_000);
      expect(log.latest().length).toBeLessThanOrEqual(20);
      for (const turn of log.unstored()) expect(liveTurnSchema.parse(turn)).toEqual(turn);
    }),
    { numRuns: 30 },
  );
});

test('an hour of short turns is kept, and no more than a thousand', () => {
  const log = createTurnLog();
  const kept = Array.from({ length: 1_100 }, () => log.add(turnOf({ text: 'Yes.' })));
  expect(kept.filter(Boolean)).toHaveLength(1_000);
  expect(log.unstored()).toHaveLength(100);
});
