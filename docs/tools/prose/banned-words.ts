/** A word or phrase that docs/style.md replaces, in all its forms. */
export interface BannedPhrase {
  readonly phrase: string;
  readonly instead: string;
  readonly pattern: RegExp;
  /** Longer phrases in which it is right. */
  readonly allowedIn: readonly RegExp[];
}

const FORMS: Readonly<Record<string, string>> = {
  tell: 'tell|tells|told|telling',
  give: 'give|gives|gave|given|giving',
  put: 'put|puts|putting',
  is: "is|are|was|were|be|been|being|it's",
};

/** @param style the text of docs/style.md. @throws if it has no table of words. */
export function bannedPhrases(style: string): readonly BannedPhrase[] {
  const rows = style.split('\n').filter((line) => line.startsWith('|'));
  const header = rows.findIndex((line) => /^\| Instead of\s+\| Write\s+\| Allowed in/.test(line));
  if (header < 0) throw new Error('docs/style.md has no table that begins with "Instead of", "Write", "Allowed in".');
  return rows.slice(header + 2).flatMap((row) => {
    const [words = '', instead = '', allowed = ''] = row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    const phrases = words.replaceAll(/\([^)]*\)/g, '').split(',');
    return phrases.map((phrase) => ({
      phrase: phrase.trim(),
      instead,
      pattern: patternOf(phrase.trim()),
      allowedIn: allowed === '' ? [] : allowed.split(',').map((text) => patternOf(text.trim())),
    }));
  });
}

function patternOf(phrase: string): RegExp {
  const [first = '', ...rest] = phrase.split(' ');
  const forms = FORMS[first.toLowerCase()] ?? `${first}(?:s|ed|ing)?`;
  return new RegExp(`(?<![\\w/-])(?:${forms})${rest.map((word) => `\\s+${word}`).join('')}s?\\b`, 'gi');
}
