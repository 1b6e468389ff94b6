import type { Clock } from '@outdial/kernel';

/** What a voice is asked for and has not done, which distinguishes a fault from the end of an idle connection. */
export class VoiceWork {
  readonly #clock: Clock;
  #utterance: string | null = null;
  #isFinished = false;
  #sounded: string | null = null;
  #awaitsSoundSinceMs: number | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isIdle(): boolean {
    return this.#utterance === null;
  }

  /** For how long sound has been due; 0 where none is. */
  get silentMs(): number {
    return this.#awaitsSoundSinceMs === null ? 0 : this.#clock.monotonicMs() - this.#awaitsSoundSinceMs;
  }

  asked(utterance: string): void {
    if (utterance !== this.#utterance) this.#isFinished = false;
    this.#utterance = utterance;
    if (utterance !== this.#sounded) this.#awaitsSoundSinceMs ??= this.#clock.monotonicMs();
  }

  /** Its text is complete: from now on sound must come until it is over. */
  finished(utterance: string): void {
    if (utterance !== this.#utterance) return;
    this.#isFinished = true;
    this.#awaitsSoundSinceMs ??= this.#clock.monotonicMs();
  }

  /** Whether it is the first sound of the utterance. */
  sounded(utterance: string): boolean {
    const isFirst = this.#sounded !== utterance;
    this.#sounded = utterance;
    // While the text is still written, silence is the model's.
    this.#awaitsSoundSinceMs = this.#isFinished && utterance === this.#utterance ? this.#clock.monotonicMs() : null;
    return isFirst;
  }

  /** Spoken, or given up. */
  over(utterance: string): void {
    if (utterance !== this.#utterance) return;
    this.#utterance = this.#awaitsSoundSinceMs = null;
  }
}
