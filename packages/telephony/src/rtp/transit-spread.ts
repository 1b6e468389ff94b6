import { SAMPLE_RATE_HZ } from '@outdial/calls';

/** Packets in one window; the last one to two windows count: four seconds at 50 packets a second. */
const WINDOW_PACKETS = 100;

/** A greater change is an outage, or a sender whose timestamps stood still in a pause: not jitter. */
const MAX_JITTER_MS = 1_000;

interface Window {
  packets: number;
  leastMs: number;
  mostMs: number;
}

const emptyWindow = (): Window => ({ packets: 0, leastMs: Infinity, mostMs: -Infinity });

/**
 * The recent jitter: the difference between the fastest and the slowest packet. Both ends' clocks may differ by any
 * constant, and drift slowly.
 */
export class TransitSpread {
  #current = emptyWindow();
  #previous = emptyWindow();
  #lastTransitMs = 0;

  /** `timestamp` in samples, unwrapped; `arrivedMs` by the monotonic clock. */
  add(timestamp: number, arrivedMs: number): void {
    const transitMs = arrivedMs - (timestamp * 1_000) / SAMPLE_RATE_HZ;
    if (Math.abs(transitMs - this.#lastTransitMs) > MAX_JITTER_MS) this.reset();
    this.#lastTransitMs = transitMs;
    if (this.#current.packets === WINDOW_PACKETS) {
      this.#previous = this.#current;
      this.#current = emptyWindow();
    }
    const window = this.#current;
    window.packets += 1;
    window.leastMs = Math.min(window.leastMs, transitMs);
    window.mostMs = Math.max(window.mostMs, transitMs);
  }

  /** Null until a quarter of a window is available. */
  spreadMs(): number | null {
    if (this.#previous.packets === 0 && this.#current.packets < WINDOW_PACKETS / 4) return null;
    const mostMs = Math.max(this.#current.mostMs, this.#previous.mostMs);
    return mostMs - Math.min(this.#current.leastMs, this.#previous.leastMs);
  }

  reset(): void {
    this.#current = emptyWindow();
    this.#previous = emptyWindow();
  }
}
