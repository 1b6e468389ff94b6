/** The band of a telephone, and what a filter of a reasonable length needs above it. */
const CUTOFF_SHARE = 0.875;
/** Zero crossings of the filter on each side: at least 60 dB down at the edge of the band. */
const CROSSINGS = 24;
/** The rates of voices and of files. Their filters are exact, and kept. */
const USUAL_RATES: ReadonlySet<number> = new Set([
  8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 88_200, 96_000,
]);
/**
 * Settings of agents and servers of customers name others, maybe a new one for each sentence: their filters share phases, which
 * makes them in a few milliseconds, and adds what is 45 dB below the sound. Only the newest are kept.
 */
const MAX_UNUSUAL_PHASES = 64;
const MAX_UNUSUAL_FILTERS = 8;

interface Filter {
  /** Coefficients of each phase. */
  readonly rows: readonly Float64Array[];
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
  #input: Float64Array;
  #from: number;
  #made = 0;
  #received = 0;

  constructor(fromHz: number, toHz: number) {
    const divisor = gcd(fromHz, toHz);
    this.#step = fromHz / divisor;
    this.#scale = toHz / divisor;
    this.#filter = filterOf(fromHz, toHz, this.#scale);
    // Silence comes before the first sample.
    this.#input = new Float64Array(this.#filter.reach);
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
    const input = new Float64Array(this.#input.length + samples.length);
    input.set(this.#input);
    input.set(samples, this.#input.length);
    const known = Math.min(endOfInput, this.#from + input.length - reach);
    const count = Math.max(0, Math.ceil((known * this.#scale) / this.#step) - this.#made);
    const output = new Int16Array(count);
    this.#fill(output, input);
    this.#made += count;
    const keepFrom = Math.floor((this.#made * this.#step) / this.#scale) - reach;
    this.#input = input.slice(Math.max(0, keepFrom - this.#from));
    this.#from = Math.max(this.#from, keepFrom);
    return output;
  }

  /** A second of speech is a million steps of the inner loop: it has nothing but the product. */
  #fill(output: Int16Array, input: Float64Array): void {
    const { rows, phases, reach } = this.#filter;
    const [step, scale] = [this.#step, this.#scale];
    const offset = reach + this.#from;
    for (let at = 0; at < output.length; at += 1) {
      const position = (this.#made + at) * step;
      const whole = Math.floor(position / scale);
      const row = rows[Math.round(((position - whole * scale) * phases) / scale)];
      output[at] = row === undefined ? 0 : clipped(product(row, input, whole - offset));
    }
  }
}

function product(row: Float64Array, input: Float64Array, from: number): number {
  let sum = 0;
  for (let tap = 0; tap < row.length; tap += 1) sum += (row[tap] ?? 0) * (input[from + tap] ?? 0);
  return sum;
}

const clipped = (sample: number): number => Math.max(-32_768, Math.min(32_767, Math.round(sample)));

const usual = new Map<string, Filter>();
const unusual = new Map<string, Filter>();

function filterOf(fromHz: number, toHz: number, scale: number): Filter {
  const isUsual = USUAL_RATES.has(fromHz) && USUAL_RATES.has(toHz);
  const filters = isUsual ? usual : unusual;
  const key = `${fromHz} ${toHz}`;
  const known = filters.get(key);
  if (known !== undefined) return known;
  const filter = makeFilter(fromHz, toHz, isUsual ? scale : Math.min(scale, MAX_UNUSUAL_PHASES));
  filters.set(key, filter);
  const [oldest] = unusual.keys();
  if (unusual.size > MAX_UNUSUAL_FILTERS && oldest !== undefined) unusual.delete(oldest);
  return filter;
}

function makeFilter(fromHz: number, toHz: number, phases: number): Filter {
  const reach = Math.ceil(CROSSINGS * Math.max(1, fromHz / toHz));
  const cutoff = ((Math.min(fromHz, toHz) / 2) * CUTOFF_SHARE) / fromHz;
  const width = 2 * reach + 1;
  // One phase more: a moment may be nearest to the next input sample.
  const rows = Array.from({ length: phases + 1 }, (_, phase) => rowOf(width, reach + phase / phases, cutoff, reach));
  return { rows, phases, reach };
}

/** The taps of a phase, whose sum is 1. Loops: a server may name a new rate for each sentence. */
function rowOf(width: number, center: number, cutoff: number, reach: number): Float64Array {
  const row = new Float64Array(width);
  let gain = 0;
  for (let tap = 0; tap < width; tap += 1) {
    const value = tapAt(tap - center, cutoff, reach);
    row[tap] = value;
    gain += value;
  }
  for (let tap = 0; tap < width; tap += 1) row[tap] = (row[tap] ?? 0) / gain;
  return row;
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
