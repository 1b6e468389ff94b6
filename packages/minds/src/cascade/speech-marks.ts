import type { CalleeSpeech } from '../mind.ts';

/** More than the ear says within the sound that is kept. */
const MAX_MARKS = 64;

export interface SpeechMark {
  readonly speech: CalleeSpeech;
  /** What had been heard when the ear said so. */
  readonly heardMs: number;
}

/** What the ear said about sound that was not understood yet, for a provider that hears it again. */
export class SpeechMarks {
  #marks: SpeechMark[] = [];
  #heardMs = 0;

  heard(untilMs: number): void {
    this.#heardMs = untilMs;
  }

  add(speech: CalleeSpeech): void {
    this.#marks.push({ speech, heardMs: this.#heardMs });
    if (this.#marks.length > MAX_MARKS) this.#marks.shift();
  }

  /** What was said before this moment is understood. */
  dropUntil(endMs: number): void {
    this.#marks = this.#marks.filter(({ speech }) => speech.atMs > endMs);
  }

  peek(): readonly SpeechMark[] {
    return [...this.#marks];
  }
}
