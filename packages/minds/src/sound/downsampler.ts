import { InvariantError } from '@outdial/kernel';
import { ULAW_RATE_HZ, ulawOf } from './ulaw.ts';

/** The telephone's band ends at 3.4 kHz; what is above 4.4 kHz would be heard in it as a hiss. */
const CUTOFF_HZ = 3_850;
const TAPS_PER_RATIO = 32;
/** Of the Kaiser window: 60 dB down in the stop band. */
const BETA = 5.65;
const LOUDEST = 32_767;

/**
 * Makes the telephone's µ-law of a provider's linear PCM, chunk by chunk: a low-pass (a sinc under a Kaiser window), of which
 * every third sample is computed where the provider sends 24 kHz. However the sound is divided into chunks, also within a
 * sample, the result is the same. It has one sample for each `ratio` begun, in phase with the input; the filter holds back its
 * last two milliseconds. Its rate is a whole multiple: a third of the products that `Resampler` needs for any rate.
 */
export class Downsampler {
  readonly #ratio: number;
  /** The first half of a symmetric filter, with its middle. */
  readonly #taps: Float64Array;
  readonly #half: number;
  /** What the next sample still reads, then what is new. */
  #window: Float64Array<ArrayBuffer>;
  #filled: number;
  /** The first byte of a sample whose second is in the next chunk. */
  #lowByte: number | null = null;
  /** How much of the sound came and went. */
  #samplesIn = 0;
  #samplesOut = 0;

  /** @throws InvariantError if the rate is no multiple of 8 kHz */
  constructor(rateHz: number) {
    this.#ratio = rateHz / ULAW_RATE_HZ;
    if (!Number.isInteger(this.#ratio) || this.#ratio < 2) throw new InvariantError(`${rateHz} Hz is no multiple`);
    this.#taps = halfOfLowPass(rateHz, (TAPS_PER_RATIO * this.#ratio) / 2);
    this.#half = this.#taps.length - 1;
    this.#window = new Float64Array(2 * this.#half + rateHz / 10);
    this.#filled = this.#half;
  }

  /** Samples of 16 bits in little endian. Returns the codes that are certain by now. */
  push(pcm: Uint8Array): Uint8Array {
    this.#take(pcm);
    return this.#drain();
  }

  /** The rest of the sound. Another sound may follow. */
  end(): Uint8Array {
    const codes = Math.ceil(this.#samplesIn / this.#ratio) - this.#samplesOut;
    this.#reserve(this.#half + this.#ratio);
    this.#window.fill(0, this.#filled, this.#filled + this.#half + this.#ratio);
    this.#filled += this.#half + this.#ratio;
    const rest = this.#drain().slice(0, codes);
    this.#window.fill(0, 0, this.#half);
    this.#filled = this.#half;
    this.#lowByte = null;
    this.#samplesIn = 0;
    this.#samplesOut = 0;
    return rest;
  }

  #take(pcm: Uint8Array): void {
    const carried = this.#lowByte === null ? 0 : 1;
    const count = (pcm.length + carried) >> 1;
    this.#reserve(count);
    let at = 0;
    for (let sample = 0; sample < count; sample += 1) {
      const low = sample === 0 && this.#lowByte !== null ? this.#lowByte : (pcm[at++] ?? 0);
      const high = pcm[at++] ?? 0;
      this.#window[this.#filled + sample] = (((high << 8) | low) << 16) >> 16;
    }
    if (count > 0) this.#lowByte = null;
    if (at < pcm.length) this.#lowByte = pcm[at] ?? 0;
    this.#filled += count;
    this.#samplesIn += count;
  }

  #reserve(samples: number): void {
    if (this.#filled + samples <= this.#window.length) return;
    const window = new Float64Array(2 * (this.#filled + samples));
    window.set(this.#window.subarray(0, this.#filled));
    this.#window = window;
  }

  #drain(): Uint8Array {
    const reach = 2 * this.#half + 1;
    const count = Math.max(0, Math.floor((this.#filled - reach) / this.#ratio) + 1);
    const codes = new Uint8Array(count);
    for (let code = 0; code < count; code += 1) codes[code] = this.#codeAt(code * this.#ratio);
    this.#window.copyWithin(0, count * this.#ratio, this.#filled);
    this.#filled -= count * this.#ratio;
    this.#samplesOut += count;
    return codes;
  }

  #codeAt(from: number): number {
    const window = this.#window;
    const taps = this.#taps;
    const middle = this.#half;
    let sum = (taps[middle] ?? 0) * (window[from + middle] ?? 0);
    const last = from + 2 * middle;
    for (let tap = 0; tap < middle; tap += 1) {
      sum += (taps[tap] ?? 0) * ((window[from + tap] ?? 0) + (window[last - tap] ?? 0));
    }
    return ulawOf(Math.round(Math.max(-LOUDEST, Math.min(LOUDEST, sum))));
  }
}

/** With unity gain at 0 Hz. */
function halfOfLowPass(rateHz: number, half: number): Float64Array {
  const cutoff = CUTOFF_HZ / rateHz;
  const taps = Float64Array.from({ length: half + 1 }, (_, index) => {
    const offset = index - half;
    const sinc = offset === 0 ? 2 * cutoff : Math.sin(2 * Math.PI * cutoff * offset) / (Math.PI * offset);
    return (sinc * besselI0(BETA * Math.sqrt(1 - (offset / half) ** 2))) / besselI0(BETA);
  });
  const gain = taps.reduce((sum, tap, index) => sum + (index === half ? tap : 2 * tap), 0);
  return taps.map((tap) => tap / gain);
}

/** The modified Bessel function of order 0, by its series. */
function besselI0(x: number): number {
  let term = 1;
  let sum = 1;
  for (let order = 1; term > sum * 1e-12; order += 1) {
    term *= (x / (2 * order)) ** 2;
    sum += term;
  }
  return sum;
}
