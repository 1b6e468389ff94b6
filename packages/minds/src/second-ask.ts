import type { Clock, Timer } from '@outdial/kernel';
import type { Mind, MindEvent } from './mind.ts';
import type { Unanswered } from './unanswered.ts';

/** An answer has failed while its session stays, and is asked for again a little later, unless another one takes its place. */
export class SecondAsk {
  readonly #clock: Clock;
  readonly #unanswered: Unanswered;
  #timer: Timer | null = null;
  /** The mind was about to answer the callee by itself: what it is asked, and what the callee says, it answers with all else. */
  #isOfCallee = false;

  constructor(clock: Clock, unanswered: Unanswered) {
    this.#clock = clock;
    this.#unanswered = unanswered;
  }

  /** What is asked for in between reaches the mind by itself. @param mind the one in use then */
  begin(delayMs: number, mind: () => Mind): void {
    const failed = this.#unanswered.requests();
    this.#isOfCallee = failed.length === 0;
    this.#timer = this.#clock.after(delayMs, () => {
      this.#timer = null;
      if (this.#isOfCallee) mind().respond();
      else this.#unanswered.ask(mind(), failed);
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
