import { setImmediate } from 'node:timers/promises';
import type { Clock, Timer } from '@outdial/kernel';

/** A clock that a test steps forward. The wall clock and the monotonic one show the same. */
export class SteppedClock implements Clock {
  #nowMs = 0;
  /** In order of creation: of two that are due at once the older goes first. */
  readonly #timers = new Set<{ readonly dueMs: number; readonly callback: () => void }>();

  nowMs(): number {
    return this.#nowMs;
  }

  monotonicMs(): number {
    return this.#nowMs;
  }

  after(delayMs: number, callback: () => void): Timer {
    const timer = { dueMs: this.#nowMs + Math.max(0, delayMs), callback };
    this.#timers.add(timer);
    return { cancel: () => void this.#timers.delete(timer) };
  }

  /** Fires what falls due, each at its own time; every promise that is ready goes on after each. */
  async turn(durationMs: number): Promise<void> {
    const endMs = this.#nowMs + durationMs;
    for (let next = this.#next(endMs); next; next = this.#next(endMs)) {
      this.#timers.delete(next);
      this.#nowMs = Math.max(this.#nowMs, next.dueMs);
      next.callback();
      await setImmediate();
    }
    this.#nowMs = endMs;
  }

  /** Time passes while the process stands still: what fell due goes next. */
  jump(durationMs: number): void {
    this.#nowMs += durationMs;
  }

  #next(endMs: number) {
    const due = [...this.#timers].filter(({ dueMs }) => dueMs <= endMs);
    return due.toSorted((left, right) => left.dueMs - right.dueMs)[0];
  }
}
