import { expect, it } from 'vitest';
import { decodeSide, decodeUlaw, encodeUlaw, loudness } from './ulaw.ts';

const tone = (amplitude: number) => Float32Array.from({ length: 800 }, (_, at) => amplitude * Math.sin(at));

it('decodes each side of interleaved sound: full scale of both signs, and silence', () => {
  const ulaw = Uint8Array.of(0x80, 0xff, 0x00, 0x7f, 0xff, 0x80);
  expect([...decodeSide(ulaw, 0)].map((sample) => Math.round(sample * 0x8000))).toEqual([32_124, -32_124, 0]);
  expect([...decodeSide(ulaw, 1)].map((sample) => Math.round(sample * 0x8000) + 0)).toEqual([0, 0, 32_124]);
});

it('every code is what its sound encodes to; silence has two, and one of them is used', () => {
  const codes = Uint8Array.from({ length: 256 }, (_, code) => code);
  expect([...encodeUlaw(decodeUlaw(codes))]).toEqual([...codes].map((code) => (code === 0x7f ? 0xff : code)));
});

it('a sample is off by at most a step of its loudness, and what is too loud is cut', () => {
  const samples = Float32Array.from({ length: 2_001 }, (_, at) => at / 1_000 - 1);
  for (const [at, heard] of decodeUlaw(encodeUlaw(samples)).entries()) {
    const sample = samples[at] ?? 0;
    expect(Math.abs(heard - sample)).toBeLessThanOrEqual(Math.abs(sample) / 32 + 0.0002);
  }
  expect([...encodeUlaw(Float32Array.of(3, -3))]).toEqual([0x80, 0x00]);
});

it('silence has no loudness, speech some, and full scale all', () => {
  expect(loudness(tone(0))).toBe(0);
  expect(loudness(tone(0.1))).toBeGreaterThan(30);
  expect(loudness(tone(1))).toBe(100);
});
