import { pause, type Clock } from '@outdial/kernel';
import type { Mind } from './mind.ts';

/** As long as a provider may take to report what it bills. */
const REPORTS_WITHIN_MS = 2_000;

interface Leaving {
  readonly mind: Mind;
  readonly limit: AbortController;
}

/** Minds whose answers no one waits for any more. They stop, and stay connected until their usage is reported. */
export class LeavingMinds {
  readonly #clock: Clock;
  readonly #leaving = new Map<Leaving, Promise<void>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(mind: Mind): void {
    const leaving = { mind, limit: new AbortController() };
    this.#leaving.set(leaving, this.#leave(leaving));
  }

  /** Resolves once all of them have reported what they will. */
  async allEnded(): Promise<void> {
    await Promise.all(this.#leaving.values());
  }

  /** At once. */
  close(): void {
    for (const leaving of this.#leaving.keys()) this.#end(leaving);
  }

  async #leave(leaving: Leaving): Promise<void> {
    const { mind, limit } = leaving;
    await Promise.race([mind.callOver(), pause(this.#clock, REPORTS_WITHIN_MS, limit.signal)]);
    this.#end(leaving);
  }

  #end(leaving: Leaving): void {
    leaving.limit.abort();
    leaving.mind.close();
    this.#leaving.delete(leaving);
  }
}
