import type { Clock, Timer } from '@outdial/kernel';
import { encodeUlaw } from '../speech/ulaw.ts';
import type { SpeakText } from '../voice.ts';
import type { ServerMessage } from './server-events.ts';

export interface LiveVoiceInput {
  readonly clock: Clock;
  readonly speak: SpeakText;
  readonly send: (message: ServerMessage) => void;
  /** How many times faster than life. */
  readonly speed: number;
}

interface Utterance {
  readonly sound: Uint8Array;
  readonly words: readonly string[];
  readonly over: () => void;
  sentBytes: number;
  sentWords: number;
}

const CHUNK_MS = 100;
const CHUNK_BYTES = CHUNK_MS * 8;
const SILENCE = Buffer.alloc(CHUNK_BYTES, 0xff);

/** What the model says: a stream at the speed of life, which is silent where nothing is said. */
export class LiveVoice {
  readonly #input: LiveVoiceInput;
  #utterance: Utterance | null = null;
  /** What is said next is made; it is dropped if the model falls silent before. */
  #making: object | null = null;
  #timer: Timer | null = null;
  #sentMs = 0;
  #isClosed = false;

  constructor(input: LiveVoiceInput) {
    this.#input = input;
    this.#next();
  }

  get isSpeaking(): boolean {
    return this.#utterance !== null || this.#making !== null;
  }

  get sentMs(): number {
    return this.#sentMs;
  }

  /** `over`: all of it was said. Not called for what is broken off. */
  async say(text: string, over: () => void): Promise<void> {
    const making = {};
    this.#making = making;
    const sound = encodeUlaw(await this.#input.speak(text));
    if (this.#making !== making) return;
    this.#making = null;
    this.#utterance = { sound, words: text.match(/\S+\s*/g) ?? [], over, sentBytes: 0, sentWords: 0 };
  }

  /** The model falls silent. */
  breakOff(): void {
    this.#making = null;
    this.#utterance = null;
  }

  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
  }

  #next(): void {
    if (this.#isClosed) return;
    this.#timer = this.#input.clock.after(CHUNK_MS / this.#input.speed, () => {
      this.#chunk();
      this.#next();
    });
  }

  #chunk(): void {
    const { send } = this.#input;
    const utterance = this.#utterance;
    const sound = Buffer.from(SILENCE);
    if (utterance !== null) {
      const piece = utterance.sound.subarray(utterance.sentBytes, utterance.sentBytes + CHUNK_BYTES);
      sound.set(piece);
      utterance.sentBytes += piece.length;
      const share = utterance.sentBytes / utterance.sound.length;
      const until = Math.ceil(utterance.words.length * share);
      const delta = utterance.words.slice(utterance.sentWords, until).join('');
      utterance.sentWords = until;
      const place = { start_ms: this.#sentMs, end_ms: this.#sentMs + CHUNK_MS };
      if (delta !== '') send({ type: 'session.output_transcript.delta', delta, ...place });
    }
    this.#sentMs += CHUNK_MS;
    send({ type: 'session.output_audio.delta', delta: sound.toString('base64') });
    if (utterance === null || utterance.sentBytes < utterance.sound.length || this.#utterance !== utterance) return;
    this.#utterance = null;
    utterance.over();
  }
}
