import type { Clock as KernelClock, Timer } from '@outdial/kernel';

/** The part of the clock that SIP uses. SIP never reads the wall clock. */
export type Clock = Pick<KernelClock, 'monotonicMs' | 'after'>;

/** The named timers of one state machine. Starting a timer again replaces it; leaving a state cancels all of them. */
export class TimerSet<Name extends string> {
  readonly #clock: Clock;
  readonly #timers = new Map<Name, Timer>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  start(name: Name, delayMs: number, callback: () => void): void {
    this.cancel(name);
    const timer = this.#clock.after(delayMs, () => {
      this.#timers.delete(name);
      callback();
    });
    this.#timers.set(name, timer);
  }

  cancel(name: Name): void {
    this.#timers.get(name)?.cancel();
    this.#timers.delete(name);
  }

  cancelAll(): void {
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
  }
}
