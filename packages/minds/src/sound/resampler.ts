/** The band of a telephone, and what a filter of a reasonable length needs above it. */
const CUTOFF_SHARE = 0.875;
/** Zero crossings of the filter on each side: at least 60 dB down at the edge of the band. */
const CROSSINGS = 24;
/** Rates without a small ratio share phases: what that adds is 60 dB below the sound. */
const MAX_PHASES = 512;
/** Settings of agents name rates, so that their number has no other bound. */
const MAX_FILTERS = 8;

interface Filter {
  /** Coefficients of each phase, one after the other. */
  readonly taps: Float32Array;
  readonly phases: number;
  /** Input samples on each side of an output sample. */
  readonly reach: number;
}

/**
 * Changes the rate of a sound that comes in pieces, by a windowed sinc (Blackman): frequencies that the new rate cannot carry
 * would otherwise sound as a hiss. An output sample follows its moment by `reach` input samples, 3 ms at 24 kHz.
 */
export class Resampler {
  readonly #filter: Filter;
  /** Output sample n is at n · step / scale of the input. */
  readonly #step: number;
  readonly #scale: number;
  /** Input from `#from` on. */
  #input: Int16Array;
  #from: number;
  #made = 0;
  #received = 0;

  constructor(fromHz: number, toHz: number) {
    const divisor = gcd(fromHz, toHz);
    this.#step = fromHz / divisor;
    this.#scale = toHz / divisor;
    this.#filter = filterOf(fromHz, toHz, this.#scale);
    // Silence comes before the first sample.
    this.#input = new Int16Array(this.#filter.reach);
    this.#from = -this.#filter.reach;
  }

  /** What can be made of the sound so far. */
  add(samples: Int16Array): Int16Array {
    this.#received += samples.length;
    return this.#take(samples, Number.POSITIVE_INFINITY);
  }

  /** The rest, once the sound is complete. */
  end(): Int16Array {
    return this.#take(new Int16Array(this.#filter.reach + 1), this.#received);
  }

  #take(samples: Int16Array, endOfInput: number): Int16Array {
    const { reach } = this.#filter;
    const input = new Int16Array(this.#input.length + samples.length);
    input.set(this.#input);
    input.set(samples, this.#input.length);
    const known = Math.min(endOfInput, this.#from + input.length - reach);
    const count = Math.max(0, Math.ceil((known * this.#scale) / this.#step) - this.#made);
    const output = new Int16Array(count);
    for (let at = 0; at < count; at += 1) output[at] = this.#sample(input, (this.#made + at) * this.#step);
    this.#made += count;
    const keepFrom = Math.floor((this.#made * this.#step) / this.#scale) - reach;
    this.#input = input.slice(Math.max(0, keepFrom - this.#from));
    this.#from = Math.max(this.#from, keepFrom);
    return output;
  }

  /** `position`: in input samples times the scale. */
  #sample(input: Int16Array, position: number): number {
    const { taps, phases, reach } = this.#filter;
    const whole = Math.floor(position / this.#scale);
    const phase = Math.round(((position % this.#scale) * phases) / this.#scale);
    const width = 2 * reach + 1;
    const first = whole - reach - this.#from;
    let sum = 0;
    for (let tap = 0; tap < width; tap += 1) sum += (taps[phase * width + tap] ?? 0) * (input[first + tap] ?? 0);
    return Math.max(-32_768, Math.min(32_767, Math.round(sum)));
  }
}

const filters = new Map<string, Filter>();

function filterOf(fromHz: number, toHz: number, scale: number): Filter {
  const key = `${fromHz} ${toHz}`;
  const known = filters.get(key);
  if (known !== undefined) return known;
  const filter = makeFilter(fromHz, toHz, Math.min(scale, MAX_PHASES));
  filters.set(key, filter);
  const [oldest] = filters.keys();
  if (filters.size > MAX_FILTERS && oldest !== undefined) filters.delete(oldest);
  return filter;
}

function makeFilter(fromHz: number, toHz: number, phases: number): Filter {
  const reach = Math.ceil(CROSSINGS * Math.max(1, fromHz / toHz));
  const cutoff = ((Math.min(fromHz, toHz) / 2) * CUTOFF_SHARE) / fromHz;
  const width = 2 * reach + 1;
  // One phase more: a moment may be nearest to the next input sample.
  const taps = new Float32Array((phases + 1) * width);
  for (let phase = 0; phase <= phases; phase += 1) {
    const row = Array.from({ length: width }, (_, tap) => tapAt(tap - reach - phase / phases, cutoff, reach));
    const gain = row.reduce((sum, tap) => sum + tap, 0);
    taps.set(
      row.map((tap) => tap / gain),
      phase * width,
    );
  }
  return { taps, phases, reach };
}

function tapAt(offset: number, cutoff: number, reach: number): number {
  const share = offset / (reach + 1);
  if (Math.abs(share) >= 1) return 0;
  const sinc = offset === 0 ? 2 * cutoff : Math.sin(2 * Math.PI * cutoff * offset) / (Math.PI * offset);
  return sinc * (0.42 + 0.5 * Math.cos(Math.PI * share) + 0.08 * Math.cos(2 * Math.PI * share));
}

function gcd(one: number, other: number): number {
  return other === 0 ? one : gcd(other, one % other);
}
