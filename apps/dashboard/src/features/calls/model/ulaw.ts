/** Sample by G.711 µ-law code, from -1 to 1. */
const SAMPLES = Float32Array.from({ length: 256 }, (_, code) => {
  const bits = ~code & 0xff;
  const magnitude = ((2 * (bits & 0x0f) + 33) << (((bits >> 4) & 0x07) + 2)) - 132;
  return (bits & 0x80 ? -magnitude : magnitude) / 0x8000;
});

/** One side of sound that has two interleaved; 0: the callee, 1: the agent. */
export function decodeSide(ulaw: Uint8Array, side: 0 | 1): Float32Array<ArrayBuffer> {
  const samples = new Float32Array(ulaw.length / 2);
  for (let at = 0; at < samples.length; at += 1) samples[at] = SAMPLES[ulaw[2 * at + side] ?? 0xff] ?? 0;
  return samples;
}

/** How loud it is, from 0 to 100: in steps that an ear would call even. */
export function loudness(samples: Float32Array): number {
  const power = samples.reduce((sum, sample) => sum + sample ** 2, 0) / Math.max(1, samples.length);
  const decibels = 10 * Math.log10(Math.max(power, 1e-6));
  return Math.round(Math.min(100, Math.max(0, (decibels + 55) * 2)));
}
