import { array, assert, integer, property, stringMatching } from 'fast-check';
import { expect, test } from 'vitest';
import { WordsOfCharacters } from './words-of-characters.ts';

const MS_PER_CHARACTER = 50;

test('words keep their text and their place in the sound, however the chunks are cut', () => {
  assert(
    property(
      array(stringMatching(/^[a-z]{1,8}[.,!]?$/), { minLength: 1 }),
      array(integer({ min: 1, max: 11 }), { minLength: 1 }),
      (expected, sizes) => {
        const chars = expected.join(' ').split('');
        const words = new WordsOfCharacters();
        const told = [];
        for (let at = 0, turn = 0; at < chars.length; turn += 1) {
          const chunk = chars.slice(at, at + (sizes[turn % sizes.length] ?? 1));
          const alignment = {
            chars: chunk,
            charStartTimesMs: chunk.map((_, index) => index * MS_PER_CHARACTER),
            charDurationsMs: chunk.map(() => MS_PER_CHARACTER),
          };
          told.push(...words.add(alignment, at * MS_PER_CHARACTER));
          at += chunk.length;
        }
        told.push(...words.rest());
        let start = 0;
        const places = expected.map((text) => {
          const startMs = start * MS_PER_CHARACTER;
          start += text.length + 1;
          return { text, startMs, endMs: startMs + text.length * MS_PER_CHARACTER };
        });
        expect(told.map((word) => ({ ...word, text: word.text.trim() }))).toEqual(places);
      },
    ),
  );
});
