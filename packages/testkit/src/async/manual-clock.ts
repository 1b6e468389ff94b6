import { setImmediate } from 'node:timers/promises';
import type { Clock, Timer } from '@outdial/kernel';

interface Pending {
  readonly dueMs: number;
  readonly callback: () => void;
}

/** A clock that advances only when a test turns it. Unlike `fakeClock`, it can turn synchronously and stall. */
export class ManualClock implements Clock {
  #nowMs = 1_000_000;
  readonly #pending = new Set<Pending>();

  get pendingTimers(): number {
    return this.#pending.size;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  monotonicMs(): number {
    return this.#nowMs;
  }

  after(delayMs: number, callback: () => void): Timer {
    const pending = { dueMs: this.#nowMs + Math.max(0, delayMs), callback };
    this.#pending.add(pending);
    return { cancel: () => this.#pending.delete(pending) };
  }

  /** Advances the clock and runs due timers, each at its time and in order. */
  turn(ms: number): void {
    const untilMs = this.#nowMs + ms;
    for (let next = this.#earliest(); next && next.dueMs <= untilMs; next = this.#earliest()) {
      this.#nowMs = Math.max(this.#nowMs, next.dueMs);
      this.#pending.delete(next);
      next.callback();
    }
    this.#nowMs = untilMs;
  }

  /** Advances time without running timers, as a blocked process does: due timers run late, at the new time. */
  stall(ms: number): void {
    this.#nowMs += ms;
  }

  /** Advances the clock in steps, and lets promises settle before each step. */
  async turnGently(ms: number, stepMs = 20): Promise<void> {
    await setImmediate();
    for (let leftMs = ms; leftMs > 0; leftMs -= stepMs) {
      this.turn(Math.min(stepMs, leftMs));
      await setImmediate();
    }
  }

  /** Advances the clock 20 ms at a time until `done`, and lets promises settle in between. Fails after `limitMs`. */
  async turnUntil(done: () => boolean, limitMs: number): Promise<void> {
    for (let turnedMs = 0; !done(); turnedMs += 20) {
      if (turnedMs > limitMs) throw new Error(`it did not happen within ${limitMs} ms`);
      await setImmediate();
      this.turn(20);
    }
  }

  #earliest(): Pending | undefined {
    let earliest: Pending | undefined;
    for (const pending of this.#pending) if (!earliest || pending.dueMs < earliest.dueMs) earliest = pending;
    return earliest;
  }
}
