import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { HeldBackSound, type HeardSound } from './held-back-sound.ts';

const MESSAGE_MS = 40;
const LONGEST_MS = 10_000;

/** A value for each byte, by its time. */
const soundAt = (fromMs: number, ms: number): HeardSound => ({
  fromMs,
  ulaw: Uint8Array.from({ length: ms * 8 }, (_, at) => (fromMs * 8 + at) % 251),
});

/** Each byte that is held, by its time. */
const bytesOf = (pieces: readonly HeardSound[]): readonly (readonly [number, number])[] =>
  pieces.flatMap(({ ulaw, fromMs }) => Array.from(ulaw, (value, at): [number, number] => [fromMs + at / 8, value]));

const messages = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.constant({ kind: 'add', gapMs: 0 } as const) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('add' as const), gapMs: fc.integer({ min: 1, max: 500 }) }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('drop' as const), agoMs: fc.integer({ min: 0, max: 3_000 }) }),
    },
  ),
  { maxLength: 700, size: 'max' },
);

test('what is held is the newest ten seconds that were not dropped, each byte at its time', () => {
  fc.assert(
    fc.property(messages, (steps) => {
      const held = new HeldBackSound();
      let expected: (readonly [number, number])[] = [];
      let nowMs = 0;
      for (const step of steps) {
        if (step.kind === 'drop') {
          held.dropUntil(nowMs - step.agoMs);
          expected = expected.filter(([atMs]) => atMs >= nowMs - step.agoMs);
        } else {
          const sound = soundAt(nowMs + step.gapMs, MESSAGE_MS);
          held.add(sound);
          expected = [...expected, ...bytesOf([sound])].slice(-LONGEST_MS * 8);
          nowMs += step.gapMs + MESSAGE_MS;
        }
      }
      expect(bytesOf(held.peek())).toEqual(expected);
    }),
    { numRuns: 8 },
  );
});

test('pieces are as long as what comes in a call, and taken once', () => {
  const held = new HeldBackSound();
  held.add(soundAt(0, 12_000));
  const pieces = held.take();
  expect(pieces[0]?.fromMs).toBe(2_000);
  expect(new Set(pieces.map(({ ulaw }) => ulaw.length))).toEqual(new Set([MESSAGE_MS * 8]));
  expect(held.take()).toEqual([]);
});
