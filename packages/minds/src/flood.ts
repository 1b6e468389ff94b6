import type { Clock } from '@outdial/kernel';

/** Ten minutes of sound in base64: providers send it faster than it is played, and one sends its settings back. */
const BURST_BYTES = 8 * 1_024 * 1_024;
/** Ten times as much as sound that is played. */
const BYTES_PER_SECOND = 128 * 1_024;
/** What a message costs beside its bytes: many small ones are as much work as a few large ones. */
const MESSAGE_BYTES = 256;

/** How much a provider may send over one connection. One that sends more takes the thread and the memory of other calls. */
export class Flood {
  readonly #clock: Clock;
  #leftBytes = BURST_BYTES;
  #atMs: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#atMs = clock.monotonicMs();
  }

  /** Whether the message is one too many. */
  isTooMuch(bytes: number): boolean {
    const nowMs = this.#clock.monotonicMs();
    const earned = ((nowMs - this.#atMs) / 1_000) * BYTES_PER_SECOND;
    this.#leftBytes = Math.min(BURST_BYTES, this.#leftBytes + earned) - bytes - MESSAGE_BYTES;
    this.#atMs = nowMs;
    return this.#leftBytes < 0;
  }
}
