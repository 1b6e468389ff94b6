import type { ModelAtCredential } from '@outdial/calls';
import type { CallId } from '@outdial/contracts';
import type { Clock } from '@outdial/kernel';
import type { FromModelHost } from './messages.ts';
import type { ModelUses } from './model-use.ts';

/** Longer than taking a line may last. A callee waits in silence. */
const ANSWERED_WITHIN_MS = 2_000;

/** The model thread's way to breakers and lines, which are the main thread's. */
export class LinesOfCalls {
  readonly #clock: Clock;
  readonly #post: (message: FromModelHost) => void;
  readonly #asked = new Map<number, (isTaken: boolean) => void>();
  #count = 0;

  constructor(clock: Clock, post: (message: FromModelHost) => void) {
    this.#clock = clock;
    this.#post = post;
  }

  of(callId: CallId): ModelUses {
    return {
      used: (model, outcome) => this.#post({ kind: 'used', callId, model, outcome }),
      takeLine: (model) => this.#ask(callId, model),
    };
  }

  answered(nth: number, isTaken: boolean): void {
    this.#asked.get(nth)?.(isTaken);
  }

  #ask(callId: CallId, model: ModelAtCredential): Promise<boolean> {
    this.#count += 1;
    const nth = this.#count;
    return new Promise((resolve) => {
      const timer = this.#clock.after(ANSWERED_WITHIN_MS, () => this.answered(nth, false));
      this.#asked.set(nth, (isTaken) => {
        timer.cancel();
        this.#asked.delete(nth);
        resolve(isTaken);
      });
      this.#post({ kind: 'take_line', nth, callId, model });
    });
  }
}
