import { SOUND_RATE } from './sound-format.ts';

const samplesOf = (ms: number): number => (ms * SOUND_RATE) / 1_000;

/** What a message may be late without a gap in the sound. */
const TARGET = samplesOf(80);
/** More waits only after the network stood still. The oldest is skipped: a conversation is heard live. */
const MOST = samplesOf(1_000);

/**
 * Plays the agent's sound without gaps although its messages come unevenly. Its clock is the sound that is pulled: the first
 * message after silence waits for 80 ms of it.
 */
export class JitterBuffer {
  #waiting: Float32Array[] = [];
  #waitingSamples = 0;
  /** Of silence before it plays; null while it plays. */
  #delay: number | null = TARGET;

  /** Samples that are not played yet. */
  get waiting(): number {
    return this.#waitingSamples;
  }

  push(samples: Float32Array): void {
    if (samples.length === 0) return;
    this.#waiting.push(samples);
    this.#waitingSamples += samples.length;
    if (this.#waitingSamples > MOST) this.#take(new Float32Array(this.#waitingSamples - TARGET));
  }

  /** Drops what is not played yet. */
  clear(): void {
    this.#waiting = [];
    this.#waitingSamples = 0;
    this.#delay = TARGET;
  }

  /** Fills `output` with what is to be played next, and with silence where there is nothing. */
  pull(output: Float32Array): void {
    output.fill(0);
    let silent = 0;
    if (this.#delay !== null) {
      if (this.#waitingSamples === 0) return;
      silent = Math.min(this.#delay, output.length);
      this.#delay -= silent;
      if (this.#delay > 0) return;
      this.#delay = null;
    }
    this.#take(output.subarray(silent));
    if (this.#waitingSamples === 0) this.#delay = TARGET;
  }

  #take(into: Float32Array): void {
    let at = 0;
    while (at < into.length) {
      const [first] = this.#waiting;
      if (first === undefined) return;
      const part = first.subarray(0, into.length - at);
      into.set(part, at);
      at += part.length;
      this.#waitingSamples -= part.length;
      if (part.length === first.length) this.#waiting.shift();
      else this.#waiting[0] = first.subarray(part.length);
    }
  }
}
