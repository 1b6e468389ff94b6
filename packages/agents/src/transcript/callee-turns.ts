import type { Heard, SpokenTurn } from '../hearing/turn-detector.ts';
import { HeardStretches, type Stretch } from './heard-stretches.ts';
import type { CalleeWords, Transcript } from './transcript.ts';

/** Words that come later than this after the end of a turn still replace it. */
const WORDS_WITHIN_MS = 5_000;

/** What a provider takes for speech begins and ends this much around it: it waits for silence. */
const AROUND_TONE_MS = 500;

/** Joins what the ear heard with what a provider understood of it: a turn has words, or is known to have none. */
export class CalleeTurns {
  readonly #transcript: Transcript;
  #waiting: readonly SpokenTurn[] = [];
  #understood: readonly CalleeWords[] = [];
  readonly #stretches = new HeardStretches();
  #toneSinceMs: number | null = null;
  #beeps: readonly Stretch[] = [];

  constructor(transcript: Transcript) {
    this.#transcript = transcript;
  }

  heard(turn: SpokenTurn): void {
    if (!this.#understood.some((words) => overlap(words, turn))) this.#waiting = [...this.#waiting, turn];
  }

  said(words: CalleeWords): void {
    // Some providers find words in the beep of a voicemail.
    if (this.#beeps.some((beep) => isWithin(words, beep))) return;
    this.#waiting = this.#waiting.filter((turn) => !overlap(turn, words));
    this.#understood = [...this.#understood, words];
    this.#transcript.addCalleeWords(this.#stretches.timesOf(words));
  }

  /** Call it with every frame. */
  follow({ nowMs, turn, beep, tone }: Pick<Heard, 'nowMs' | 'turn' | 'beep' | 'tone'>): void {
    this.#stretches.follow({ nowMs, turn });
    if (beep) this.#beeps = [...this.#beeps, { startMs: this.#toneSinceMs ?? nowMs, endMs: nowMs }];
    this.#toneSinceMs = tone ? (this.#toneSinceMs ?? nowMs) : null;
    this.#pass(nowMs);
  }

  #pass(nowMs: number): void {
    for (let turn = this.#waiting[0]; turn !== undefined; turn = this.#waiting[0]) {
      if (nowMs - turn.endMs < WORDS_WITHIN_MS) return;
      this.#waiting = this.#waiting.slice(1);
      this.#transcript.addCalleeSpeech(turn, true);
    }
  }

  /** No more words come. */
  finish(): void {
    this.#pass(Number.POSITIVE_INFINITY);
  }
}

const isWithin = (one: Stretch, other: Stretch): boolean =>
  one.startMs >= other.startMs - AROUND_TONE_MS && one.endMs <= other.endMs + AROUND_TONE_MS;

const overlap = (one: Stretch, other: Stretch): boolean => one.startMs < other.endMs && other.startMs < one.endMs;
