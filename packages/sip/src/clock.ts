import type { Clock as KernelClock, Timer } from '@outdial/kernel';

/** The part of the clock that SIP uses. SIP never reads the wall clock. */
export type Clock = Pick<KernelClock, 'monotonicMs' | 'after'>;

/** The timers of one state machine by their names: starting one again replaces it, and leaving drops them all. */
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
