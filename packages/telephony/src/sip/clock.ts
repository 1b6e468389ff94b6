/** A pending timer; `cancel` is idempotent and harmless once it fired. */
export interface Timer {
  cancel(): void;
}

/** The time that the user agent lives by: any clock of the product's shape. Wall-clock time is never looked at. */
export interface Clock {
  /** Milliseconds since an arbitrary moment; never goes back. */
  monotonicMs(): number;
  /** Runs `callback` once after `delayMs`. */
  after(delayMs: number, callback: () => void): Timer;
}

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
