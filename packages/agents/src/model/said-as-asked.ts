/** Of the words that were asked for, this share may be wrong. */
const TOLERATED_SHARE = 0.1;

/**
 * Whether a model has said a text word for word, or nearly: at most a tenth of its words are changed, missing or added. Case
 * and punctuation do not count. Pure.
 */
export function saidAsAsked(said: string, asked: string): boolean {
  const words = wordsOf(asked);
  return changedWords(wordsOf(said), words) <= words.length * TOLERATED_SHARE;
}

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** The fewest words to change, add or remove (Levenshtein), row by row. */
function changedWords(said: readonly string[], asked: readonly string[]): number {
  let row = Array.from({ length: asked.length + 1 }, (_, count) => count);
  for (const [index, word] of said.entries()) {
    const next = [index + 1];
    for (const [at, wanted] of asked.entries()) {
      const replaced = (row[at] ?? 0) + (word === wanted ? 0 : 1);
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
