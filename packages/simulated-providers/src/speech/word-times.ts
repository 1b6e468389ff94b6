export interface WordTime {
  readonly word: string;
  readonly startMs: number;
  readonly endMs: number;
}

/** Where the words of a text are in its sound, by their share of the characters: a synthesizer does not report it. */
export function wordTimes(text: string, startMs: number, endMs: number): readonly WordTime[] {
  const perCharacter = (endMs - startMs) / Math.max(1, text.length);
  return [...text.matchAll(/\S+/g)].map((match) => ({
    word: match[0],
    startMs: Math.round(startMs + match.index * perCharacter),
    endMs: Math.round(startMs + (match.index + match[0].length) * perCharacter),
  }));
}
