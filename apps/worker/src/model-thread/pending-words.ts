import type { MindEvent } from '@outdial/minds';

/** What a mind still owes when its call ends: the words of the callee's last turn, and the usage of an answer. */
export class PendingWords {
  #turns = 0;
  #answers = 0;
  #settle: (() => void) | undefined;

  asked(): void {
    this.#answers = 1;
  }

  observe(event: MindEvent): void {
    if (event.kind === 'callee_speaking') this.#turns += 1;
    if (event.kind === 'callee_said') this.#turns = Math.max(0, this.#turns - 1);
    if (event.kind === 'sound') this.#answers = 1;
    if (event.kind === 'answer_over' || event.kind === 'answer_failed') this.#answers = 0;
    if (event.kind === 'failed') this.#turns = this.#answers = 0;
    if (this.#isSettled()) this.#settle?.();
  }

  settled(): Promise<void> {
    if (this.#isSettled()) return Promise.resolve();
    return new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  #isSettled(): boolean {
    return this.#turns === 0 && this.#answers === 0;
  }
}
