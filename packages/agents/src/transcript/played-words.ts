/**
 * The words of a text that were played with `share` of its sound. The engine reports no word times, so characters stand
 * for time; a partial word is left out, because the callee may not have understood it.
 */
export function playedWords(text: string, share: number): string {
  if (share >= 1) return text;
  const played = Math.floor(text.length * share);
  if (/\s/.test(text.charAt(played))) return text.slice(0, played).trimEnd();
  return text.slice(0, played).replace(/\S*$/, '').trimEnd();
}
