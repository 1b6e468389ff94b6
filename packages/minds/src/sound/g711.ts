/** µ-law of ITU-T G.711, by table: 16-bit samples are divided by four, since the standard has 14 bits. */

/** Segments are exact powers of two once this is added to the magnitude. */
const BIAS = 132;
const LARGEST_MAGNITUDE = 32_635;

const SAMPLES = Int16Array.from({ length: 0x100 }, (_, code) => {
  const bits = ~code & 0xff;
  const magnitude = ((2 * (bits & 0x0f) + 33) << (((bits >> 4) & 0x07) + 2)) - BIAS;
  return (bits & 0x80) === 0 ? magnitude : -magnitude;
});

/** By the sample's 16 bits, read as unsigned. */
const CODES = Uint8Array.from({ length: 0x1_0000 }, (_, bits) => {
  const sample = (bits << 16) >> 16;
  const biased = Math.min(Math.abs(sample), LARGEST_MAGNITUDE) + BIAS;
  const segment = 24 - Math.clz32(biased);
  return ~((sample < 0 ? 0x80 : 0) | (segment << 4) | ((biased >> (segment + 3)) & 0x0f)) & 0xff;
});

/** The code of a 16-bit sample. */
export const ulawOf = (sample: number): number => CODES[sample & 0xffff] ?? 0;

/** 16-bit samples in little endian, as providers of linear PCM take them. */
export function pcmOf(ulaw: Uint8Array): Buffer {
  const pcm = Buffer.allocUnsafe(ulaw.length * 2);
  for (let at = 0; at < ulaw.length; at += 1) pcm.writeInt16LE(SAMPLES[ulaw[at] ?? 0] ?? 0, at * 2);
  return pcm;
}
