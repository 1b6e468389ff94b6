/** G.711 adds it before it takes the logarithm, so that the softest sounds have steps too. */
const BIAS = 132;
const MOST = 32_635;

/** Sample by G.711 µ-law code, from -1 to 1. */
const SAMPLES = Float32Array.from({ length: 256 }, (_, code) => {
  const bits = ~code & 0xff;
  const magnitude = ((2 * (bits & 0x0f) + 33) << (((bits >> 4) & 0x07) + 2)) - BIAS;
  return (bits & 0x80 ? -magnitude : magnitude) / 0x8000;
});

export function decodeUlaw(ulaw: Uint8Array): Float32Array<ArrayBuffer> {
  return Float32Array.from(ulaw, (code) => SAMPLES[code] ?? 0);
}

/** One side of sound that has two interleaved; 0: the callee, 1: the agent. */
export function decodeSide(ulaw: Uint8Array, side: 0 | 1): Float32Array<ArrayBuffer> {
  const samples = new Float32Array(ulaw.length / 2);
  for (let at = 0; at < samples.length; at += 1) samples[at] = SAMPLES[ulaw[2 * at + side] ?? 0xff] ?? 0;
  return samples;
}

/** Samples from -1 to 1. What is louder is cut, as every converter does. */
export function encodeUlaw(samples: Float32Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(samples, (sample) => {
    const magnitude = Math.min(Math.round(Math.abs(sample) * 0x8000), MOST) + BIAS;
    // The place of the highest bit, of which 7 is the lowest that occurs.
    const segment = 24 - Math.clz32(magnitude);
    const step = (magnitude >> (segment + 3)) & 0x0f;
    return ~((sample < 0 ? 0x80 : 0) | (segment << 4) | step) & 0xff;
  });
}

/** How loud it is, from 0 to 100: in steps that an ear would call even. */
export function loudness(samples: Float32Array): number {
  const power = samples.reduce((sum, sample) => sum + sample ** 2, 0) / Math.max(1, samples.length);
  const decibels = 10 * Math.log10(Math.max(power, 1e-6));
  return Math.round(Math.min(100, Math.max(0, (decibels + 55) * 2)));
}
