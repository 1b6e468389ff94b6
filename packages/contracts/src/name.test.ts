import { describe, expect, it } from 'vitest';
import { nameText } from './name.ts';

const errorOf = (name: string) => nameText(100).safeParse(name).error?.issues[0]?.message ?? null;
const charactersOf = (codePoints: readonly number[]) => codePoints.map((each) => String.fromCodePoint(each)).join('');

describe('a name', () => {
  it.each([
    ['zero-width space', [0x200b]],
    ['word joiner', [0x2060]],
    ['byte order mark', [0xfeff]],
    ['Hangul fillers', [0x3164, 0x115f, 0x1160, 0xffa0]],
    ['joiners alone', [0x200c, 0x200d]],
    ['marks of direction alone', [0x200e, 0x200f, 0x061c]],
    ['soft hyphen', [0xad]],
    ['variation selector alone', [0xfe0f]],
    ['combining grapheme joiner', [0x034f]],
    ['tags', [0xe0041, 0xe007f]],
    ['blank Braille pattern', [0x2800]],
    ['control characters', [0x7, 0x1b]],
    ['any of them with spaces between', [0x200b, 0x20, 0x2060, 0xa0, 0x3000, 0x3164]],
  ])('without a visible character is rejected: %s', (_what, codePoints) => {
    expect(errorOf(charactersOf(codePoints))).toMatch(/^must (contain a visible character|not be empty)$/);
  });

  it.each([0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069])(
    'with a character that changes the direction of writing is rejected, wherever it is: %i',
    (codePoint) => {
      const direction = String.fromCodePoint(codePoint);
      for (const name of [`${direction}abc`, `ab${direction}c`, `abc${direction}`])
        expect(errorOf(name)).toContain('text direction');
    },
  );

  it.each([
    'Zoë',
    'e\u0301\u0301', // combining marks
    'محمد',
    'שלום',
    'שלום\u200f!', // a direction mark
    'می\u200cخواهم', // a joiner that the spelling requires
    'क्\u200dष',
    '한글',
    '株式会社',
    '👩\u200d👩\u200d👧',
    '❤\ufe0f',
    '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
    '-',
    '1',
  ])('with visible characters is kept as it is: %s', (name) => {
    expect(nameText(100).parse(` ${name} `)).toBe(name);
  });

  it('gets one clear error for each problem', () => {
    expect(
      nameText(3)
        .safeParse(' ')
        .error?.issues.map(({ message }) => message),
    ).toEqual(['must not be empty']);
    expect(nameText(3).safeParse('abcd').error?.issues[0]?.message).toBe('must be at most 3 characters');
    expect(errorOf('a\0b')).toContain('U+0000');
  });
});
