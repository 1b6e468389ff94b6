import type { Clock, Timer } from '@outdial/kernel';

/** The callee's speech, by the ear, that a provider may leave without a word. */
const MAX_UNHEARD_SPEECH_MS = 5_000;

/** Notices that a provider no longer understands: the ear hears speech, and no word comes of it. */
export class Deafness {
  readonly #clock: Clock;
  readonly #noticed: () => void;
  #unheardMs = 0;
  #speechSinceMs: number | null = null;
  #timer: Timer | null = null;

  constructor(clock: Clock, noticed: () => void) {
    this.#clock = clock;
    this.#noticed = noticed;
  }

  speech(kind: 'began' | 'ended'): void {
    this.#count();
    this.#speechSinceMs = kind === 'began' ? this.#clock.monotonicMs() : null;
    this.#wait();
  }

  understood(): void {
    this.#unheardMs = 0;
    if (this.#speechSinceMs !== null) this.#speechSinceMs = this.#clock.monotonicMs();
    this.#wait();
  }

  stop(): void {
    this.#speechSinceMs = null;
    this.#timer?.cancel();
  }

  #count(): void {
    if (this.#speechSinceMs !== null) this.#unheardMs += this.#clock.monotonicMs() - this.#speechSinceMs;
  }

  #wait(): void {
    this.#timer?.cancel();
    if (this.#speechSinceMs === null) return;
    this.#timer = this.#clock.after(MAX_UNHEARD_SPEECH_MS - this.#unheardMs, () => {
      this.#unheardMs = 0;
      this.#noticed();
    });
  }
}
