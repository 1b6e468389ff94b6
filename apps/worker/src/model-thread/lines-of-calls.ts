import type { ModelAtCredential } from '@outdial/calls';
import type { CallId } from '@outdial/contracts';
import type { Clock } from '@outdial/kernel';
import type { FromModelHost } from './messages.ts';
import type { ModelUses } from './model-use.ts';

/** Longer than taking a line may last. A callee waits in silence. */
const ANSWERED_WITHIN_MS = 2_000;

/** Each is three scripts in Redis, which all accounts share; a conversation has one every few seconds. */
const MOST_OUTCOMES = 30;
const OUTCOME_EVERY_MS = 1_000;

/** How often a call may say what its models do: a provider may answer without end. */
class OutcomeRate {
  readonly #clock: Clock;
  #left = MOST_OUTCOMES;
  #atMs: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#atMs = clock.monotonicMs();
  }

  allows(): boolean {
    const nowMs = this.#clock.monotonicMs();
    this.#left = Math.min(MOST_OUTCOMES, this.#left + (nowMs - this.#atMs) / OUTCOME_EVERY_MS);
    this.#atMs = nowMs;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}

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
    const rate = new OutcomeRate(this.#clock);
    return {
      used: (model, outcome) => {
        if (rate.allows()) this.#post({ kind: 'used', callId, model, outcome });
      },
      nearLimit: (model) => {
        if (rate.allows()) this.#post({ kind: 'near_limit', callId, model });
      },
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
