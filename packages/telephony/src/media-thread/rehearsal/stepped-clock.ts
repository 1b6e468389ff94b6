import type { Clock, Timer } from '@outdial/kernel';

interface Pending {
  readonly dueMs: number;
  readonly callback: () => void;
}

/** A manual clock that runs as fast as its timers do. */
export class SteppedClock implements Clock {
  #nowMs = 0;
  readonly #pending = new Set<Pending>();

  nowMs(): number {
    return this.#nowMs;
  }

  monotonicMs(): number {
    return this.#nowMs;
  }

  after(delayMs: number, callback: () => void): Timer {
    const pending = { dueMs: this.#nowMs + delayMs, callback };
    this.#pending.add(pending);
    return { cancel: () => void this.#pending.delete(pending) };
  }

  /** Advances the clock and runs each timer that is due, once. */
  turn(ms: number): void {
    this.#nowMs += ms;
    for (const pending of this.#pending) {
      if (pending.dueMs > this.#nowMs || !this.#pending.delete(pending)) continue;
      pending.callback();
    }
  }
}
