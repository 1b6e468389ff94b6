import type { Frame } from '@outdial/calls';
import { ULAW_FRAME_BYTES } from './playout.ts';

/** ITU-T G.711 µ-law. Segments are exact powers of two once this is added to the magnitude. */
const BIAS = 132;
const LARGEST_MAGNITUDE = 32_635;

function toCode(sample: number): number {
  const biased = Math.min(Math.abs(sample), LARGEST_MAGNITUDE) + BIAS;
  const segment = 31 - Math.clz32(biased) - 7;
  const sign = sample < 0 ? 0x80 : 0;
  return ~(sign | (segment << 4) | ((biased >> (segment + 3)) & 0x0f)) & 0xff;
}

function toSample(code: number): number {
  const bits = ~code & 0xff;
  const magnitude = ((2 * (bits & 0x0f) + 33) << (((bits >> 4) & 0x07) + 2)) - BIAS;
  return bits & 0x80 ? -magnitude : magnitude;
}

/** Code by the sample's 16 bits, read as unsigned. */
const CODES = Uint8Array.from({ length: 0x1_0000 }, (_, bits) => toCode((bits << 16) >> 16));
const SAMPLES = Int16Array.from({ length: 0x100 }, (_, code) => toSample(code));

/** Writes one code for each sample into `target`, from `offset` on. */
export function encodeUlaw(samples: Int16Array, target: Uint8Array, offset: number): void {
  for (let at = 0; at < samples.length; at += 1) target[offset + at] = CODES[(samples[at] ?? 0) & 0xffff] ?? 0;
}

/** Writes a frame of 160 codes as samples into `target`, which is returned. */
export function decodeUlawFrame(codes: Uint8Array, target: Frame): Frame {
  for (let at = 0; at < ULAW_FRAME_BYTES; at += 1) target[at] = SAMPLES[codes[at] ?? 0xff] ?? 0;
  return target;
}
