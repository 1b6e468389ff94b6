import type { Clock, Timer } from '@outdial/kernel';
import type { Mind, MindEvent } from './mind.ts';
import type { Unanswered } from './unanswered.ts';

/** An answer has failed while its session stays, and is asked for again a little later, unless another one takes its place. */
export class SecondAsk {
  readonly #clock: Clock;
  readonly #unanswered: Unanswered;
  #timer: Timer | null = null;
  /** The failed answer was to the callee's words: any new request or turn replaces the second ask. */
  #isOfCallee = false;

  constructor(clock: Clock, unanswered: Unanswered) {
    this.#clock = clock;
    this.#unanswered = unanswered;
  }

  /** The mind gets requests of the time in between directly. @param mind the one in use then */
  begin(delayMs: number, mind: () => Mind): void {
    this.cancel();
    this.#isOfCallee = !this.#unanswered.holdBack();
    this.#timer = this.#clock.after(delayMs, () => {
      this.#timer = null;
      if (this.#isOfCallee) mind().respond();
      else this.#unanswered.askHeldBack(mind());
    });
  }

  asked(): void {
    if (this.#isOfCallee) this.cancel();
  }

  observe({ kind }: MindEvent): void {
    if (!this.#isOfCallee) return;
    if (kind === 'callee_speaking' || kind === 'sound' || kind === 'tool_call' || kind === 'answer_over') this.cancel();
  }

  cancel(): void {
    this.#timer?.cancel();
    this.#timer = null;
  }
}
