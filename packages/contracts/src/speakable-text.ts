const LETTERS_WITHOUT_DECOMPOSITION: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  Æ: 'Ae',
  œ: 'oe',
  Œ: 'Oe',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  þ: 'th',
  '’': "'",
  '‘': "'",
  '“': '"',
  '”': '"',
  '–': ', ',
  '—': ', ',
  '…': '...',
};

/**
 * The text in the Latin letters that the English voices know. The voices skip every other character, so that `Zoë` would be
 * spoken as `Zo` and `José` as `Jos`: accents are removed, and the rest becomes a space.
 */
export function speakableText(text: string): string {
  return text
    .replace(/[^\u0020-\u007e]/g, (character) => LETTERS_WITHOUT_DECOMPOSITION[character] ?? character)
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .replace(/[^\u0020-\u007e]+/g, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
}

/** Whether a voice produces any sound for the text: it needs a Latin letter or a digit. */
export function isSpeakable(text: string): boolean {
  return /[a-z0-9]/i.test(speakableText(text));
}
