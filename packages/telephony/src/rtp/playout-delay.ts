import { FRAME_MS, FRAME_SAMPLES, SAMPLE_RATE_HZ } from '@outdial/calls';
import { TransitSpread } from './transit-spread.ts';

/** Before the network's jitter is known. */
const FIRST_MS = 60;
const LEAST_MS = 40;
const MAX_MS = 240;

const samplesOf = (ms: number): number => (ms * SAMPLE_RATE_HZ) / 1_000;

/** The delay with which jittery packets can be played evenly. */
export class PlayoutDelay {
  readonly #spread = new TransitSpread();

  /** A packet came: `timestamp` in samples, unwrapped; `arrivedMs` by the monotonic clock. */
  observe(timestamp: number, arrivedMs: number): void {
    this.#spread.add(timestamp, arrivedMs);
  }

  get samples(): number {
    const spreadMs = this.#spread.spreadMs();
    if (spreadMs === null) return samplesOf(FIRST_MS);
    // One frame more than the spread: packets and ticks are not synchronized.
    const frames = Math.ceil((spreadMs + FRAME_MS) / FRAME_MS);
    return Math.min(samplesOf(MAX_MS), Math.max(samplesOf(LEAST_MS), frames * FRAME_SAMPLES));
  }

  reset(): void {
    this.#spread.reset();
  }
}
