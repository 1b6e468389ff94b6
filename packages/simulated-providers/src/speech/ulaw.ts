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

export function decodeUlaw(codes: Uint8Array): Int16Array {
  return Int16Array.from(codes, (code) => SAMPLES[code] ?? 0);
}

export function encodeUlaw(samples: Int16Array): Uint8Array {
  return Uint8Array.from(samples, (sample) => CODES[sample & 0xffff] ?? 0xff);
}
