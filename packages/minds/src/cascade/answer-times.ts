import type { Clock } from '@outdial/kernel';
import type { AnswerDelays } from '../mind.ts';

/** The delays of one answer, until its first sound. */
export class AnswerTimes {
  readonly #clock: Clock;
  readonly #endpointingMs: number | null;
  readonly #askedMs: number;
  #firstTokenMs: number | null = null;
  #isComplete = false;

  /** `endpointingMs`: of the turn that is answered. Null: the answer is to none. */
  constructor(clock: Clock, endpointingMs: number | null) {
    this.#clock = clock;
    this.#endpointingMs = endpointingMs;
    this.#askedMs = clock.monotonicMs();
  }

  firstToken(): void {
    this.#firstTokenMs ??= this.#clock.monotonicMs();
  }

  /** Null after the first time, and for a text that no model wrote. */
  firstSound(): AnswerDelays | null {
    if (this.#isComplete || this.#firstTokenMs === null) return null;
    this.#isComplete = true;
    return {
      endpointingMs: this.#endpointingMs,
      llmTtftMs: this.#firstTokenMs - this.#askedMs,
      ttsTtfbMs: this.#clock.monotonicMs() - this.#firstTokenMs,
    };
  }
}
