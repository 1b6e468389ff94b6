import type { Clock, Timer } from '@outdial/kernel';

/** The answer to a request to another thread, or a fallback if none comes in time. */
export class PendingReply<T> {
  readonly promise: Promise<T>;
  readonly #otherwise: T;
  readonly #timer: Timer;
  #resolve: (value: T) => void = () => undefined;
  #settled = false;

  constructor(clock: Clock, patienceMs: number, otherwise: T) {
    this.#otherwise = otherwise;
    this.promise = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.#timer = clock.after(patienceMs, () => this.giveUp());
  }

  get isSettled(): boolean {
    return this.#settled;
  }

  /** The first value counts. */
  settle(value: T): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#timer.cancel();
    this.#resolve(value);
  }

  giveUp(): void {
    this.settle(this.#otherwise);
  }
}
