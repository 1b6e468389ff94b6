import { expect, it } from 'vitest';
import { decodeSide, loudness } from './ulaw.ts';

const tone = (amplitude: number) => Float32Array.from({ length: 800 }, (_, at) => amplitude * Math.sin(at));

it('decodes each side of interleaved sound: full scale of both signs, and silence', () => {
  const ulaw = Uint8Array.of(0x80, 0xff, 0x00, 0x7f, 0xff, 0x80);
  expect([...decodeSide(ulaw, 0)].map((sample) => Math.round(sample * 0x8000))).toEqual([32_124, -32_124, 0]);
  expect([...decodeSide(ulaw, 1)].map((sample) => Math.round(sample * 0x8000) + 0)).toEqual([0, 0, 32_124]);
});

it('silence has no loudness, speech some, and full scale all', () => {
  expect(loudness(tone(0))).toBe(0);
  expect(loudness(tone(0.1))).toBeGreaterThan(30);
  expect(loudness(tone(1))).toBe(100);
});
