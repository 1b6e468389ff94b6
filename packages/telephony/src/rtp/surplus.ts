import { FRAME_SAMPLES } from '@outdial/calls';

/** One second of frames. */
const WINDOW_FRAMES = 50;
/** A frame with no sample louder than this is not missed: -38 dBFS. */
const QUIET_PEAK = 400;

/**
 * Finds what a jitter buffer holds beyond its need: after a network's spike, or because the sender's clock runs faster.
 * What was there at every moment of a second is never needed.
 */
export class Surplus {
  #frames = 0;
  #leastSamples = Infinity;
  #surplusSamples = 0;
  #overdue = false;

  /** Told at every frame how much is held and how much is needed. */
  observe(heldSamples: number, neededSamples: number): void {
    this.#leastSamples = Math.min(this.#leastSamples, heldSamples);
    this.#frames += 1;
    if (this.#frames < WINDOW_FRAMES) return;
    this.#overdue = this.#surplusSamples >= FRAME_SAMPLES;
    this.#surplusSamples = this.#leastSamples - neededSamples;
    this.#frames = 0;
    this.#leastSamples = Infinity;
  }

  /** Whether the frame that is due should be left out: any quiet one, or after a second without one, whatever comes. */
  shouldSkip(peak: number): boolean {
    if (this.#surplusSamples < FRAME_SAMPLES) return false;
    if (peak > QUIET_PEAK && !this.#overdue) return false;
    this.#surplusSamples -= FRAME_SAMPLES;
    this.#overdue = false;
    this.#leastSamples = Infinity;
    this.#frames = 0;
    return true;
  }

  get any(): boolean {
    return this.#surplusSamples >= FRAME_SAMPLES;
  }

  reset(): void {
    this.#frames = 0;
    this.#leastSamples = Infinity;
    this.#surplusSamples = 0;
    this.#overdue = false;
  }
}
