import type { SpokenTurn } from '../hearing/turn-detector.ts';
import type { CalleeWords, Transcript } from './transcript.ts';

/** Words that come later than this after the end of a turn still replace it. */
const WORDS_WITHIN_MS = 5_000;

/** Joins what the ear heard with what a provider understood of it: a turn has words, or is known to have none. */
export class CalleeTurns {
  readonly #transcript: Transcript;
  #waiting: readonly SpokenTurn[] = [];
  #understood: readonly CalleeWords[] = [];

  constructor(transcript: Transcript) {
    this.#transcript = transcript;
  }

  heard(turn: SpokenTurn): void {
    if (!this.#understood.some((words) => overlap(words, turn))) this.#waiting = [...this.#waiting, turn];
  }

  said(words: CalleeWords): void {
    this.#waiting = this.#waiting.filter((turn) => !overlap(turn, words));
    this.#understood = [...this.#understood, words];
    this.#transcript.addCalleeWords(words);
  }

  /** Call it as time passes. */
  pass(nowMs: number): void {
    for (let turn = this.#waiting[0]; turn !== undefined; turn = this.#waiting[0]) {
      if (nowMs - turn.endMs < WORDS_WITHIN_MS) return;
      this.#waiting = this.#waiting.slice(1);
      this.#transcript.addCalleeSpeech(turn, true);
    }
  }

  /** No more words come. */
  finish(): void {
    this.pass(Number.POSITIVE_INFINITY);
  }
}

const overlap = (
  one: { readonly startMs: number; readonly endMs: number },
  other: { readonly startMs: number; readonly endMs: number },
): boolean => one.startMs < other.endMs && other.startMs < one.endMs;
