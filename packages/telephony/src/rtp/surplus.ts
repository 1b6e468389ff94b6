import { FRAME_SAMPLES } from '@outdial/calls';

/** One second of frames. */
const WINDOW_FRAMES = 50;
/** A frame without a sample louder than this can be skipped unnoticed: -38 dBFS. */
const QUIET_PEAK = 400;

/**
 * Finds the surplus of a jitter buffer, after a network spike or because the sender's clock runs faster. What was held
 * at every moment of a second is never needed.
 */
export class Surplus {
  #frames = 0;
  #leastSamples = Infinity;
  #surplusSamples = 0;
  #overdue = false;

  /** Call this for every frame with the samples held and the samples needed. */
  observe(heldSamples: number, neededSamples: number): void {
    this.#leastSamples = Math.min(this.#leastSamples, heldSamples);
    this.#frames += 1;
    if (this.#frames < WINDOW_FRAMES) return;
    this.#overdue = this.#surplusSamples >= FRAME_SAMPLES;
    this.#surplusSamples = this.#leastSamples - neededSamples;
    this.#frames = 0;
    this.#leastSamples = Infinity;
  }

  /** Whether to skip the frame that is due: any quiet one, or the next one after a second without a quiet one. */
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
