import { SOUND_RATE } from './sound-format.ts';

/** Below half of the rate, so that nothing above it is heard as another tone. */
const CUTOFF_HZ = 3_600;
/** Of the filter, on each side. */
const ZERO_CROSSINGS = 16;

/** Turns sound of any higher rate into 8 kHz, through a low-pass filter (a windowed sinc). It adds 2 ms. */
export class Downsampler {
  readonly #rate: number;
  readonly #half: number;
  /** By the place between two samples of the input; a few for every rate that microphones have. */
  readonly #kernels = new Map<number, Float32Array>();
  #kept: Float32Array;
  /** The place of the first kept sample in the whole input. */
  #keptFrom: number;
  #made = 0;

  constructor(rate: number) {
    this.#rate = rate;
    this.#half = Math.ceil((ZERO_CROSSINGS * rate) / (2 * CUTOFF_HZ));
    this.#kept = new Float32Array(this.#half);
    this.#keptFrom = -this.#half;
  }

  push(input: Float32Array): Float32Array {
    const sound = new Float32Array(this.#kept.length + input.length);
    sound.set(this.#kept);
    sound.set(input, this.#kept.length);
    const until = this.#keptFrom + sound.length;
    const made: number[] = [];
    while (this.#center() + this.#half < until) {
      made.push(this.#sample(sound));
      this.#made += 1;
    }
    const from = Math.max(0, this.#center() - this.#half + 1 - this.#keptFrom);
    this.#kept = sound.slice(from);
    this.#keptFrom += from;
    return Float32Array.from(made);
  }

  /** The last sample of the input at or before the next one of the output. */
  #center(): number {
    return Math.floor((this.#made * this.#rate) / SOUND_RATE);
  }

  #sample(sound: Float32Array): number {
    const kernel = this.#kernel((this.#made * this.#rate) % SOUND_RATE);
    const from = this.#center() - this.#half + 1 - this.#keptFrom;
    return kernel.reduce((sum, weight, at) => sum + weight * (sound[from + at] ?? 0), 0);
  }

  /** @param phase in parts of a sample, of which there are 8,000 */
  #kernel(phase: number): Float32Array {
    const known = this.#kernels.get(phase);
    if (known !== undefined) return known;
    const weights = Float32Array.from({ length: 2 * this.#half }, (_, at) => {
      const distance = at - this.#half + 1 - phase / SOUND_RATE;
      const turns = (2 * CUTOFF_HZ * distance) / this.#rate;
      const sinc = turns === 0 ? 1 : Math.sin(Math.PI * turns) / (Math.PI * turns);
      return sinc * (0.5 + 0.5 * Math.cos(Math.PI * Math.min(1, Math.abs(distance) / this.#half)));
    });
    const sum = weights.reduce((total, weight) => total + weight, 0);
    const kernel = weights.map((weight) => weight / sum);
    this.#kernels.set(phase, kernel);
    return kernel;
  }
}
