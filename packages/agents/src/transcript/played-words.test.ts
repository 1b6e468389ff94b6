import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { playedWords } from './played-words.ts';

describe('the played words', () => {
  it.each([
    [0, ''],
    [0.2, ''],
    [0.5, 'Hello'],
    [0.54, 'Hello'],
    [0.7, 'Hello dear'],
    [0.99, 'Hello dear'],
    [1, 'Hello dear Anna'],
  ])('at a share of %d of "Hello dear Anna" are %j', (share, words) => {
    expect(playedWords('Hello dear Anna', share)).toBe(words);
  });

  it('are whole words from the start of the text, never fewer for a greater share', () => {
    const text = fc
      .array(fc.stringMatching(/^[a-z,.!]{1,8}$/), { minLength: 1, maxLength: 12 })
      .map((words) => words.join(' '));
    fc.assert(
      fc.property(
        text,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (said, one, other) => {
          const [less, more] = [playedWords(said, Math.min(one, other)), playedWords(said, Math.max(one, other))];
          expect(more.startsWith(less)).toBe(true);
          const words = said.split(' ');
          expect(less === '' ? [] : less.split(' ')).toEqual(words.slice(0, less === '' ? 0 : less.split(' ').length));
          expect(less.length).toBeLessThanOrEqual(said.length * Math.max(one, other));
        },
      ),
    );
  });
});
