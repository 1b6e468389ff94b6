import type { Clock, Timer } from '@outdial/kernel';

/** Both stores, every process and the telephone network start here: 2030-01-01. */
const START_MS = Date.UTC(2030, 0, 1);

/** Whether the process that owns a timer is running. */
export interface Runs {
  readonly state: 'running' | 'stopped' | 'gone';
}

interface PendingTimer {
  readonly owner: Runs;
  readonly dueMs: number;
  readonly callback: () => void;
}

/** The only time of a world. It stands still until the schedule advances it. */
export class WorldClock {
  nowMs = START_MS;
  /** In order of creation, which breaks ties between timers due at the same time. */
  readonly #timers = new Set<PendingTimer>();

  /** Starts another world without any timers of the last one. */
  reset(): void {
    this.nowMs = START_MS;
    this.#timers.clear();
  }

  /** A process's own view: its timers wait while it is stopped, and never fire once it is gone. */
  viewOf(owner: Runs): Clock {
    return {
      nowMs: () => this.nowMs,
      monotonicMs: () => this.nowMs - START_MS,
      after: (delayMs, callback) => this.#after(owner, delayMs, callback),
    };
  }

  /** Advances time and fires due timers, in order and each at its own time; `onMoved` is called for every step. */
  async advance(durationMs: number, onMoved: () => void = () => {}): Promise<void> {
    const endMs = this.nowMs + durationMs;
    for (let next = this.#earliest(endMs); next; next = this.#earliest(endMs)) {
      this.#timers.delete(next);
      this.nowMs = Math.max(this.nowMs, next.dueMs);
      onMoved();
      next.callback();
      await settle();
    }
    this.nowMs = endMs;
    onMoved();
  }

  #after(owner: Runs, delayMs: number, callback: () => void): Timer {
    const timer = { owner, dueMs: this.nowMs + Math.max(0, delayMs), callback };
    this.#timers.add(timer);
    return { cancel: () => void this.#timers.delete(timer) };
  }

  #earliest(endMs: number): PendingTimer | undefined {
    let found: PendingTimer | undefined;
    for (const timer of this.#timers) {
      if (timer.owner.state === 'gone') this.#timers.delete(timer);
      if (timer.owner.state !== 'running' || timer.dueMs > endMs) continue;
      if (!found || timer.dueMs < found.dueMs) found = timer;
    }
    return found;
  }
}

/**
 * Settles all pending promises. A group commit sends, and a deadline is checked, in the next turn of the event loop,
 * and either may lead to the other.
 */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
