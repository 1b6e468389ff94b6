/** µ-law (ITU-T G.711) to 16-bit samples, by table. */
const SAMPLES = Int16Array.from({ length: 256 }, (_, code) => {
  const bits = ~code & 0xff;
  const magnitude = (((bits & 0x0f) * 2 + 33) << (((bits >> 4) & 0x07) + 2)) - 132;
  return (bits & 0x80) === 0 ? magnitude : -magnitude;
});

const CODES = Uint8Array.from({ length: 65_536 }, (_, bits) => {
  const sample = (bits << 16) >> 16;
  const biased = Math.min(Math.abs(sample), 32_635) + 132;
  const segment = 24 - Math.clz32(biased);
  return ~((sample < 0 ? 0x80 : 0) | (segment << 4) | ((biased >> (segment + 3)) & 0x0f)) & 0xff;
});

// Loops, since `from` with a function asks an iterator for each sample: a hundred sessions would share a slow core.
export function decodeUlaw(codes: Uint8Array): Int16Array {
  const samples = new Int16Array(codes.length);
  for (let at = 0; at < codes.length; at += 1) samples[at] = SAMPLES[codes[at] ?? 0xff] ?? 0;
  return samples;
}

export function encodeUlaw(samples: Int16Array): Uint8Array {
  const codes = new Uint8Array(samples.length);
  for (let at = 0; at < samples.length; at += 1) codes[at] = CODES[(samples[at] ?? 0) & 0xffff] ?? 0xff;
  return codes;
}
