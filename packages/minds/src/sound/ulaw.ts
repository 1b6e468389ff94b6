/** µ-law at 8 kHz, one byte a sample. */
export const BYTES_PER_MS = 8;
export const ULAW_RATE_HZ = 8_000;
export const ULAW_SILENCE = 0xff;

/** Added to a magnitude, it makes the segments of ITU-T G.711 powers of two. */
const BIAS = 132;
const LARGEST_MAGNITUDE = 32_635;

const SAMPLES = Int16Array.from({ length: 256 }, (_, code) => {
  const bits = ~code & 0xff;
  const magnitude = ((((bits & 0x0f) << 1) + 33) << (((bits >> 4) & 0x07) + 2)) - BIAS;
  return (bits & 0x80) === 0 ? magnitude : -magnitude;
});

/** By the 16 bits of a sample, read as unsigned. */
const CODES = Uint8Array.from({ length: 0x1_0000 }, (_, bits) => {
  const sample = (bits << 16) >> 16;
  const biased = Math.min(Math.abs(sample), LARGEST_MAGNITUDE) + BIAS;
  const exponent = 31 - Math.clz32(biased);
  const code = ((exponent - 7) << 4) | ((biased >> (exponent - 4)) & 0x0f);
  return ~(sample < 0 ? code | 0x80 : code) & 0xff;
});

export function samplesOfUlaw(ulaw: Uint8Array): Int16Array {
  const samples = new Int16Array(ulaw.length);
  for (let at = 0; at < ulaw.length; at += 1) samples[at] = SAMPLES[ulaw[at] ?? ULAW_SILENCE] ?? 0;
  return samples;
}

export function ulawOfSamples(samples: Int16Array): Uint8Array<ArrayBuffer> {
  const ulaw = new Uint8Array(samples.length);
  for (let at = 0; at < samples.length; at += 1) ulaw[at] = CODES[(samples[at] ?? 0) & 0xffff] ?? ULAW_SILENCE;
  return ulaw;
}

/** The code of one sample of 16 bits. */
export const ulawOf = (sample: number): number => CODES[sample & 0xffff] ?? ULAW_SILENCE;

/** Samples of 16 bits in little endian, as providers of linear PCM take them. */
export function pcmOf(ulaw: Uint8Array): Buffer {
  const pcm = Buffer.allocUnsafe(ulaw.length * 2);
  for (let at = 0; at < ulaw.length; at += 1) pcm.writeInt16LE(SAMPLES[ulaw[at] ?? ULAW_SILENCE] ?? 0, at * 2);
  return pcm;
}
