/** ITU-T G.711: 8 bits a sample in two laws, named as RTP/AVP names them (RFC 3551). */
export type G711Law = 'PCMU' | 'PCMA';

/** The µ-law's segments are exact powers of two once this is added to the magnitude. */
const ULAW_BIAS = 132;
const ULAW_LARGEST_MAGNITUDE = 32_635;
const ALAW_LARGEST_MAGNITUDE = 32_767;
/** A-law inverts every other bit, so that silence has edges for clock recovery. */
const ALAW_TOGGLED_BITS = 0x55;

/** 31 - clz32 is the position of the highest bit. */
const highestBit = (value: number): number => 31 - Math.clz32(value);

function toUlaw(sample: number): number {
  const biased = Math.min(Math.abs(sample), ULAW_LARGEST_MAGNITUDE) + ULAW_BIAS;
  const segment = highestBit(biased) - 7;
  const interval = (biased >> (segment + 3)) & 0x0f;
  const sign = sample < 0 ? 0x80 : 0;
  return ~(sign | (segment << 4) | interval) & 0xff;
}

function fromUlaw(code: number): number {
  const bits = ~code & 0xff;
  const magnitude = ((2 * (bits & 0x0f) + 33) << (((bits >> 4) & 0x07) + 2)) - ULAW_BIAS;
  return bits & 0x80 ? -magnitude : magnitude;
}

function toAlaw(sample: number): number {
  const steps = Math.min(Math.abs(sample), ALAW_LARGEST_MAGNITUDE) >> 4;
  // The two lowest segments have the same step.
  const segment = steps < 16 ? 0 : highestBit(steps) - 3;
  const interval = segment === 0 ? steps : (steps >> (segment - 1)) & 0x0f;
  const sign = sample < 0 ? 0 : 0x80;
  return (sign | (segment << 4) | interval) ^ ALAW_TOGGLED_BITS;
}

function fromAlaw(code: number): number {
  const bits = code ^ ALAW_TOGGLED_BITS;
  const segment = (bits >> 4) & 0x07;
  const interval = 2 * (bits & 0x0f);
  const magnitude = segment === 0 ? (interval + 1) << 3 : (interval + 33) << (segment + 2);
  return bits & 0x80 ? magnitude : -magnitude;
}

interface LawTables {
  /** Sample by code. */
  readonly samples: Int16Array;
  /** Code by the sample's 16 bits, read as unsigned. */
  readonly codes: Uint8Array;
}

function tabulate(toCode: (sample: number) => number, toSample: (code: number) => number): LawTables {
  return {
    samples: Int16Array.from({ length: 0x100 }, (_, code) => toSample(code)),
    codes: Uint8Array.from({ length: 0x1_0000 }, (_, bits) => toCode((bits << 16) >> 16)),
  };
}

const TABLES: Readonly<Record<G711Law, LawTables>> = {
  PCMU: tabulate(toUlaw, fromUlaw),
  PCMA: tabulate(toAlaw, fromAlaw),
};

/** Decodes to 16-bit linear samples, one for each byte, into `target` if given, which must be large enough. */
export function decodeG711(law: G711Law, payload: Uint8Array, target = new Int16Array(payload.length)): Int16Array {
  const { samples } = TABLES[law];
  const decoded = target.length === payload.length ? target : target.subarray(0, payload.length);
  for (let at = 0; at < payload.length; at += 1) decoded[at] = samples[payload[at] ?? 0] ?? 0;
  return decoded;
}

/** Writes one byte for each sample into `target`, starting at `offset`. */
export function encodeG711(law: G711Law, samples: Int16Array, target: Uint8Array, offset: number): void {
  const { codes } = TABLES[law];
  for (let at = 0; at < samples.length; at += 1) target[offset + at] = codes[(samples[at] ?? 0) & 0xffff] ?? 0;
}
