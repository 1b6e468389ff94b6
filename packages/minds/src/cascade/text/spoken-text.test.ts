import { array, assert, constantFrom, integer, oneof, property, stringMatching } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Sentences } from './sentences.ts';
import { spokenText } from './spoken-text.ts';

test.each([
  ['**Yes**, of _course_!', 'Yes, of course!'],
  ['# Times\n\n- nine\n- ten', 'Times nine ten'],
  ['See [our site](https://example.com/a.b?c=d) or https://www.example.com/path.', 'See our site or example.com.'],
  ['Great 👍🏽 👨‍👩‍👧 🇩🇪 1️⃣!', 'Great!'],
  ['```js\nlet a = 1;\n``` and `code`', 'let a = 1; and code'],
  ['It costs $3.50, i.e. 7 * 0.50; snake_case stays.', 'It costs $3.50, i.e. 7 0.50; snake_case stays.'],
  ['<b>Bold</b> and ~~gone~~', 'Bold and gone'],
  ['1. First\n2. Second', '1. First 2. Second'],
  ['> quoted\n---\n| a | b |', 'quoted a b'],
])('%j is spoken as %j', (written, spoken) => {
  expect(spokenText(written)).toBe(spoken);
});

const word = stringMatching(/^[A-Za-zäéß]{1,9}[.,?!]?$/);
const marked = oneof(
  word,
  word.map((text) => `**${text}**`),
  word.map((text) => `[${text}](https://example.com/${encodeURIComponent(text)})`),
  constantFrom('😀', '👩‍💻', '## ', '\n- ', '`x`', '🇫🇷'),
);

describe('for every text', () => {
  test('words alone stay as they are', () => {
    assert(
      property(array(word, { minLength: 1 }), (words) => {
        expect(spokenText(words.join(' '))).toBe(words.join(' '));
      }),
    );
  });

  test('no mark, link or emoji is left, and a second pass changes nothing', () => {
    assert(
      property(array(marked), (parts) => {
        const spoken = spokenText(parts.join(' '));
        expect(spoken).not.toMatch(/[*`[\]~|]|https?:|\p{Extended_Pictographic}|\p{Regional_Indicator}|\s\s/u);
        expect(spokenText(spoken)).toBe(spoken);
      }),
    );
  });

  test('the parts together are the text, however it arrives', () => {
    assert(
      property(array(marked), array(integer({ min: 1, max: 20 }), { minLength: 1 }), (parts, sizes) => {
        const text = parts.join(' ');
        const sentences = new Sentences();
        const spoken: string[] = [];
        for (let at = 0, turn = 0; at < text.length; turn += 1) {
          const size = sizes[turn % sizes.length] ?? 1;
          spoken.push(...sentences.add(text.slice(at, at + size)));
          at += size;
        }
        spoken.push(sentences.rest());
        expect(spoken.join('')).toBe(text);
      }),
    );
  });
});

const partsOf = (text: string) => {
  const sentences = new Sentences();
  const parts = text.split('').flatMap((char) => sentences.add(char));
  return [...parts, sentences.rest()].filter((part) => part !== '');
};

describe('sentences', () => {
  test('begin early with a clause, and go on with whole sentences', () => {
    expect(partsOf('Thank you very much, Mr. Miller, for your call. I will look, and tell you at once. Bye.')).toEqual([
      'Thank you very much, ',
      'Mr. Miller, for your call. I will look, and tell you at once. ',
      'Bye.',
    ]);
  });

  test('do not end after a title or within a link', () => {
    expect(partsOf('Good day from Dr. Miller.')).toEqual(['Good day from Dr. Miller.']);
    expect(partsOf('Look at [this. Or that, perhaps](https://example.com) now.')).toHaveLength(1);
  });

  test('of a text without an end are cut at a space', () => {
    const parts = partsOf('word '.repeat(100));
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(241);
    expect(parts.every((part) => part.endsWith('word '))).toBe(true);
  });
});
