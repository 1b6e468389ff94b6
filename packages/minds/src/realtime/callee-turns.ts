import type { CalleeSpeech, MindEvent } from '../mind.ts';
import { BYTES_PER_MS } from '../sound/ulaw.ts';

type Said = Extract<MindEvent, { kind: 'callee_speaking' | 'callee_said' }>;

/** Words of a turn follow its end within this time, or not at all. */
const WORDS_WITHIN_MS = 2_000;
/** A model that has not begun by then has chosen to say nothing. */
const ANSWERED_WITHIN_MS = 4_000;

/**
 * What the callee says, turn by turn. The provider names neither turns nor times: it sends words, and answers them. The times
 * are those of the ear, where it hears speech, else those of the sound.
 */
export class CalleeTurns {
  readonly #emit: (event: Said) => void;
  readonly #name: string;
  readonly #isTranscribed: boolean;
  #heardMs = 0;
  #earBeganMs: number | null = null;
  #earEndedMs: number | null = null;
  #earIsSpeaking = false;
  /** The provider has answered what the ear heard, and its words come late. */
  #isAnswered = false;
  /** Of the turn whose words come. */
  #text: string | null = null;
  #startMs = 0;
  #turns = 0;

  constructor(input: {
    /** Part of the names of turns. */
    readonly name: string;
    readonly isTranscribed: boolean;
    readonly emit: (event: Said) => void;
  }) {
    this.#name = input.name;
    this.#isTranscribed = input.isTranscribed;
    this.#emit = input.emit;
  }

  /** Sound was heard: µ-law, from `fromMs` on. */
  heard(bytes: number, fromMs: number): void {
    this.#heardMs = fromMs + bytes / BYTES_PER_MS;
  }

  /** Pauses within a turn of the ear are part of it. */
  ear({ kind, atMs }: CalleeSpeech): void {
    this.#earIsSpeaking = kind === 'began' || kind === 'resumed';
    if (kind === 'resumed') this.#isAnswered = false;
    if (kind === 'paused' || kind === 'resumed') return;
    if (kind === 'ended') {
      this.#earEndedMs = atMs;
      return;
    }
    const isRecent = this.#earEndedMs === null || atMs - this.#earEndedMs < WORDS_WITHIN_MS;
    const isPause = isRecent && !this.#isAnswered;
    this.#isAnswered = false;
    if (!isPause) this.over();
    if (this.#earBeganMs === null || !isPause) this.#earBeganMs = atMs;
    this.#earEndedMs = null;
  }

  /** The callee speaks, or spoke just now, and the words are not here. */
  get isAwaited(): boolean {
    if (!this.#isTranscribed || this.#earBeganMs === null) return false;
    return this.#earEndedMs === null || this.#heardMs - this.#earEndedMs < WORDS_WITHIN_MS;
  }

  /** The callee has paused or ended, and no answer has come: the model may be about to give one. */
  get awaitsAnswer(): boolean {
    if (this.#earBeganMs === null || this.#earIsSpeaking || this.#isAnswered) return false;
    return this.#earEndedMs === null || this.#heardMs - this.#earEndedMs < ANSWERED_WITHIN_MS;
  }

  /** Some words came, and may not be all of the turn. */
  get hasWords(): boolean {
    return this.#text !== null;
  }

  /** The provider noticed speech. */
  spoke(): void {
    if (this.#text !== null) return;
    this.#text = '';
    this.#startMs = this.#earBeganMs ?? this.#heardMs;
    this.#emit({ kind: 'callee_speaking', atMs: this.#startMs });
  }

  understood({ text, finished }: { readonly text: string; readonly finished: boolean }): void {
    if (text !== '') {
      this.spoke();
      this.#text = `${this.#text ?? ''}${text}`;
    }
    if (finished) this.over();
  }

  /** The provider answers, or the call ends: the turn is over. `null` words where it is not transcribed. */
  over(): void {
    if (this.#text === null) {
      this.#isAnswered = this.#earBeganMs !== null && !this.#earIsSpeaking;
      return;
    }
    const text = this.#text.trim();
    this.#turns += 1;
    const endMs = Math.max(this.#startMs, this.#earEndedMs ?? this.#heardMs);
    const turn = `${this.#name}_callee_${this.#turns}`;
    const startMs = this.#startMs;
    this.#text = null;
    this.#earBeganMs = null;
    this.#emit({ kind: 'callee_said', turn, text: text === '' ? null : text, startMs, endMs });
  }
}
