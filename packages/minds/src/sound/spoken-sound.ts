import { Resampler } from './resampler.ts';
import { ULAW_RATE_HZ, ulawOfSamples } from './ulaw.ts';

/** A server sent sound in a form that cannot be played. The message is ours. */
export class UnplayableSound extends Error {}

const MAX_HEADER_BYTES = 64 * 1_024;
const [PCM, EXTENSIBLE] = [1, 0xff_fe];
const LEAST_RATE_HZ = 4_000;
const MOST_RATE_HZ = 96_000;
/** Servers that stream do not know the size yet, and write 0 or the largest one. */
const LARGEST_SIZE = 0x7f_ff_00_00;

interface Form {
  readonly rateHz: number;
  readonly channels: number;
}

/**
 * Samples of 16 bits that come in pieces, cut anywhere, as µ-law for the telephone. A RIFF header is read where there is one;
 * without it the samples are mono at `rawRateHz`.
 */
export class SpokenSound {
  readonly #rawRateHz: number | null;
  /** What does not make a sample yet, or the header so far. */
  #rest: Buffer = Buffer.alloc(0);
  #form: Form | null = null;
  /** What the header says, and how far it was read. */
  #headerForm: Form | null = null;
  #headerAt = 12;
  #resampler: Resampler | null = null;
  #leftBytes = Number.POSITIVE_INFINITY;

  /** `rawRateHz`: null where only a RIFF file will do. */
  constructor(rawRateHz: number | null) {
    this.#rawRateHz = rawRateHz;
  }

  /** @throws UnplayableSound */
  add(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    const form = this.#form ?? this.#begin();
    if (form === null) return new Uint8Array(0);
    this.#form = form;
    this.#resampler ??= new Resampler(form.rateHz, ULAW_RATE_HZ);
    const frameBytes = 2 * form.channels;
    const usable = Math.min(this.#rest.length, this.#leftBytes);
    const whole = usable - (usable % frameBytes);
    const samples = monoOf(this.#rest.subarray(0, whole), form.channels);
    this.#leftBytes -= whole;
    this.#rest = this.#leftBytes < frameBytes ? Buffer.alloc(0) : this.#rest.subarray(whole);
    return ulawOfSamples(this.#resampler.add(samples));
  }

  /** The rest of the sound. */
  end(): Uint8Array<ArrayBuffer> {
    return ulawOfSamples(this.#resampler?.end() ?? new Int16Array(0));
  }

  /** The form, once enough is here to know it. */
  #begin(): Form | null {
    if (this.#rest.length < 4) return null;
    if (this.#rest.toString('latin1', 0, 4) === 'RIFF') return this.#readHeader();
    if (this.#rawRateHz === null) throw new UnplayableSound('the sound is no WAV file');
    return { rateHz: this.#rawRateHz, channels: 1 };
  }

  #readHeader(): Form | null {
    const file = this.#rest;
    // Each part once: a server may send it byte by byte.
    while (this.#headerAt + 8 <= file.length) {
      const at = this.#headerAt;
      const name = file.toString('latin1', at, at + 4);
      const size = file.readUInt32LE(at + 4);
      if (name === 'data') {
        if (this.#headerForm === null) throw new UnplayableSound('the WAV file does not say how it is written');
        if (size > 0 && size < LARGEST_SIZE) this.#leftBytes = size;
        this.#rest = file.subarray(at + 8);
        return this.#headerForm;
      }
      if (name === 'fmt ') {
        if (at + 24 > file.length) break;
        this.#headerForm = formOf(file.subarray(at + 8));
      }
      this.#headerAt += 8 + size + (size % 2);
    }
    if (file.length > MAX_HEADER_BYTES) throw new UnplayableSound('the WAV file has no sound');
    return null;
  }
}

function formOf(chunk: Buffer): Form {
  const [format, channels, bits] = [chunk.readUInt16LE(0), chunk.readUInt16LE(2), chunk.readUInt16LE(14)];
  const rateHz = chunk.readUInt32LE(4);
  const isPcm = (format === PCM || format === EXTENSIBLE) && bits === 16 && channels >= 1 && channels <= 8;
  if (!isPcm || rateHz < LEAST_RATE_HZ || rateHz > MOST_RATE_HZ) {
    throw new UnplayableSound(`the WAV file has format ${format}, ${bits} bits and ${rateHz} Hz`);
  }
  return { rateHz, channels };
}

function monoOf(bytes: Buffer, channels: number): Int16Array {
  const samples = new Int16Array(bytes.length / (2 * channels));
  for (let at = 0; at < samples.length; at += 1) {
    let sum = 0;
    for (let channel = 0; channel < channels; channel += 1) sum += bytes.readInt16LE(2 * (at * channels + channel));
    samples[at] = Math.round(sum / channels);
  }
  return samples;
}
