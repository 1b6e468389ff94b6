import type { SpokenWords } from '../text-to-speech.ts';

export interface Alignment {
  readonly chars: readonly string[];
  readonly charStartTimesMs: readonly number[];
  readonly charDurationsMs: readonly number[];
}

/** Puts words together from the times of characters, which come in chunks that end anywhere. */
export class WordsOfCharacters {
  #text = '';
  #startMs = 0;
  #endMs = 0;

  /** The words that are complete. `chunkStartMs`: where the chunk begins in the sound; its times are relative to it. */
  add({ chars, charStartTimesMs, charDurationsMs }: Alignment, chunkStartMs: number): readonly SpokenWords[] {
    const words: SpokenWords[] = [];
    for (const [index, char] of chars.entries()) {
      const isSpace = /^\s$/.test(char);
      if (!isSpace && /\s$/.test(this.#text)) words.push(...this.rest());
      const startMs = chunkStartMs + (charStartTimesMs[index] ?? 0);
      if (this.#text.trim() === '') this.#startMs = startMs;
      this.#text += char;
      if (!isSpace) this.#endMs = startMs + (charDurationsMs[index] ?? 0);
    }
    return words;
  }

  /** The last word; what has no word in it is dropped. */
  rest(): readonly SpokenWords[] {
    const word = { text: this.#text.trimStart(), startMs: this.#startMs, endMs: this.#endMs };
    this.#text = '';
    return word.text === '' ? [] : [word];
  }
}
