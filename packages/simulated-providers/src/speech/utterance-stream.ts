import type { Alarms } from '../http/alarms.ts';
import type { SpeakText } from '../voice.ts';
import { encodeUlaw } from './ulaw.ts';

export interface SpeechChunk {
  readonly ulaw: Uint8Array;
  /** The part of the text that this chunk speaks, and where the sound of the chunk begins in the utterance. */
  readonly text: string;
  readonly startMs: number;
  /** With the first chunk of a text: all of it, and where its sound ends. */
  readonly whole: { readonly text: string; readonly endMs: number } | null;
}

export interface SpeechTimings {
  /** Until the first sound of a text. */
  readonly firstSoundMs: number;
  /** How many times faster than life sound is made. */
  readonly soundSpeed: number;
}

export interface UtteranceStreamInput {
  readonly alarms: Alarms;
  readonly speak: SpeakText;
  readonly timings: SpeechTimings;
  readonly chunk: (chunk: SpeechChunk) => void;
  /** All text that was added is spoken, and no more follows. */
  readonly over: () => void;
}

const CHUNK_MS = 240;
const BYTES_PER_MS = 8;

/** Speaks texts one after the other, in chunks, faster than life. */
export class UtteranceStream {
  readonly #input: UtteranceStreamInput;
  readonly #texts: string[] = [];
  #speaking = false;
  #finished = false;
  #stopped = false;
  #madeMs = 0;

  constructor(input: UtteranceStreamInput) {
    this.#input = input;
  }

  get madeMs(): number {
    return this.#madeMs;
  }

  add(text: string): void {
    if (text.trim() === '') return;
    this.#texts.push(text);
    this.#next(this.#input.timings.firstSoundMs);
  }

  /** No more text follows. */
  finish(): void {
    this.#finished = true;
    this.#next(0);
  }

  /** Nothing is sent any more. */
  stop(): void {
    this.#stopped = true;
  }

  #next(delayMs: number): void {
    if (this.#stopped || this.#speaking) return;
    const text = this.#texts.shift();
    if (text === undefined) {
      if (this.#finished) {
        this.#stopped = true;
        this.#input.over();
      }
      return;
    }
    this.#speaking = true;
    this.#input.alarms.after(delayMs, () => void this.#speak(text));
  }

  async #speak(text: string): Promise<void> {
    const sound = encodeUlaw(await this.#input.speak(text.trim()));
    this.#chunk(text, sound, 0);
  }

  #chunk(text: string, sound: Uint8Array, from: number): void {
    if (this.#stopped) return;
    if (from >= sound.length) {
      this.#speaking = false;
      return this.#next(0);
    }
    const { alarms, timings, chunk } = this.#input;
    const ulaw = sound.subarray(from, from + CHUNK_MS * BYTES_PER_MS);
    const share = (bytes: number) => Math.round((text.length * bytes) / sound.length);
    const spoken = text.slice(share(from), share(from + ulaw.length));
    const endMs = this.#madeMs + sound.length / BYTES_PER_MS;
    chunk({ ulaw, text: spoken, startMs: this.#madeMs, whole: from === 0 ? { text, endMs } : null });
    this.#madeMs += ulaw.length / BYTES_PER_MS;
    alarms.after(ulaw.length / BYTES_PER_MS / timings.soundSpeed, () => {
      this.#chunk(text, sound, from + ulaw.length);
    });
  }
}
