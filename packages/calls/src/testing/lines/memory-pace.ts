const LONGEST_TURN_MS = 10_000;

/** How soon calls may follow each other, and when waiting ones try again; by name. */
export class MemoryPace {
  readonly #nowMs: () => number;
  readonly #dueMs = new Map<string, number>();
  readonly #lastTurnMs = new Map<string, number>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  waitMs(name: string, perSecond: number): number {
    const waitMs = (this.#dueMs.get(name) ?? 0) - this.#nowMs();
    return waitMs <= 0 || waitMs > shareMs(perSecond) ? 0 : Math.ceil(waitMs);
  }

  spend(name: string, perSecond: number): void {
    this.#dueMs.set(name, this.#nowMs() + shareMs(perSecond));
  }

  /** A separate turn for one more waiting call, at most ten seconds ahead. */
  turnMs(name: string, soonestMs: number, perSecond: number): number {
    const nowMs = this.#nowMs();
    const lastMs = this.#lastTurnMs.get(name) ?? -Infinity;
    const turnMs = Math.max(nowMs + soonestMs, lastMs + shareMs(perSecond));
    if (turnMs > nowMs + LONGEST_TURN_MS) return LONGEST_TURN_MS;
    this.#lastTurnMs.set(name, turnMs);
    return Math.ceil(turnMs - nowMs);
  }
}

function shareMs(perSecond: number): number {
  return Math.ceil(1_000_000 / perSecond) / 1_000;
}
