import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { playedWords } from '../transcript/played-words.ts';
import { heardWords, type PlacedWords } from './heard-words.ts';

const word = fc.stringMatching(/^[a-z]{1,8}[,.!]?$/).map((letters) => `${letters} `);

/** Words one after the other, with pauses between them, as a voice reports them. */
const timed: fc.Arbitrary<readonly Required<PlacedWords>[]> = fc
  .array(fc.record({ text: word, pauseMs: fc.nat(300), lengthMs: fc.integer({ min: 1, max: 600 }) }), { maxLength: 12 })
  .map((words) => {
    let endMs = 0;
    return words.map(({ text, pauseMs, lengthMs }) => {
      const startMs = endMs + pauseMs;
      endMs = startMs + lengthMs;
      return { text, place: { startMs, endMs } };
    });
  });

const join = (words: readonly PlacedWords[]): string => words.map(({ text }) => text).join('');

describe('the heard words', () => {
  test('are exactly those whose end is not after what was played, and a prefix of all', () => {
    fc.assert(
      fc.property(timed, fc.nat(8_000), fc.nat(8_000), (words, playedMs, receivedMs) => {
        const heard = heardWords(words, playedMs, Math.max(playedMs, receivedMs));
        expect(heard).toBe(join(words.filter(({ place }) => place.endMs <= playedMs)));
        expect(join(words).startsWith(heard)).toBe(true);
      }),
    );
  });

  test('without times are whole ones, by the share of the sound that was played', () => {
    fc.assert(
      fc.property(fc.array(word), fc.nat(4_000), fc.integer({ min: 1, max: 4_000 }), (texts, playedMs, receivedMs) => {
        const words = texts.map((text) => ({ text }));
        const share = Math.min(1, playedMs / receivedMs);
        expect(heardWords(words, playedMs, receivedMs)).toBe(playedWords(join(words), share));
      }),
    );
  });

  test('are a prefix, and never fewer for more sound, if another voice without times goes on', () => {
    const untimed = fc.array(word.map((text) => ({ text })));
    fc.assert(
      fc.property(timed, untimed, fc.nat(9_000), fc.nat(9_000), (first, then, oneMs, otherMs) => {
        const words = [...first, ...then];
        const receivedMs = (first.at(-1)?.place.endMs ?? 0) + then.length * 400;
        const less = heardWords(words, Math.min(oneMs, otherMs, receivedMs), receivedMs);
        const more = heardWords(words, Math.min(Math.max(oneMs, otherMs), receivedMs), receivedMs);
        expect(more.startsWith(less)).toBe(true);
        expect(join(words).startsWith(more)).toBe(true);
        expect(heardWords(words, receivedMs, receivedMs)).toBe(join(words));
      }),
    );
  });

  test('between two stretches with times lie between their times', () => {
    const words = [
      { text: 'Good morning, ', place: { startMs: 0, endMs: 800 } },
      { text: 'this is the ' },
      { text: 'practice.', place: { startMs: 1_600, endMs: 2_000 } },
    ];
    expect(heardWords(words, 799, 2_000)).toBe('');
    expect(heardWords(words, 800, 2_000)).toBe('Good morning, ');
    expect(heardWords(words, 1_200, 2_000)).toBe('Good morning, this');
    expect(heardWords(words, 1_600, 2_000)).toBe('Good morning, this is the ');
    expect(heardWords(words, 2_000, 2_000)).toBe('Good morning, this is the practice.');
  });
});
