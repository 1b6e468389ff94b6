import { FRAME_MS, FRAME_SAMPLES, SAMPLE_RATE_HZ } from '@outdial/calls';
import { TransitSpread } from './transit-spread.ts';

/** Before the network is known. */
const FIRST_MS = 60;
const LEAST_MS = 40;
const MOST_MS = 240;

const samplesOf = (ms: number): number => (ms * SAMPLE_RATE_HZ) / 1_000;

/** How long sound has to be held back, so that what the network delivers unevenly can be played evenly. */
export class PlayoutDelay {
  readonly #spread = new TransitSpread();

  /** A packet came: `timestamp` in samples, without wraps; `arrivedMs` by the monotonic clock. */
  observe(timestamp: number, arrivedMs: number): void {
    this.#spread.add(timestamp, arrivedMs);
  }

  get samples(): number {
    const spreadMs = this.#spread.spreadMs();
    if (spreadMs === null) return samplesOf(FIRST_MS);
    // A frame more than the spread: packets and ticks have no common beat.
    const frames = Math.ceil((spreadMs + FRAME_MS) / FRAME_MS);
    return Math.min(samplesOf(MOST_MS), Math.max(samplesOf(LEAST_MS), frames * FRAME_SAMPLES));
  }

  reset(): void {
    this.#spread.reset();
  }
}
