import type { Clock, Timer } from '@outdial/kernel';

/** The timers of a connection, which end with it. */
export class Alarms {
  readonly #clock: Clock;
  readonly #timers = new Set<Timer>();
  #over = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  after(delayMs: number, callback: () => void): void {
    if (this.#over) return;
    const timer = this.#clock.after(delayMs, () => {
      this.#timers.delete(timer);
      callback();
    });
    this.#timers.add(timer);
  }

  stop(): void {
    this.#over = true;
    for (const timer of this.#timers) timer.cancel();
    this.#timers.clear();
  }
}
