import { expect, test } from 'vitest';
import { Downsampler } from './downsampler.ts';

/** What a tone of a frequency becomes: its power relative to the input, and how long it is. */
function heard(rate: number, hz: number, block = 128) {
  const tone = Float32Array.from({ length: rate }, (_, at) => Math.sin((2 * Math.PI * hz * at) / rate));
  const downsampler = new Downsampler(rate);
  const made: number[] = [];
  for (let from = 0; from < tone.length; from += block)
    made.push(...downsampler.push(tone.subarray(from, from + block)));
  // Without the edges.
  const middle = made.slice(200, -200);
  return { samples: made.length, made, gain: 2 * (middle.reduce((sum, one) => sum + one ** 2, 0) / middle.length) };
}
const RATES = [48_000, 44_100, 16_000, 8_000, 96_000] as const;

test.each(RATES)('a second at %d Hz becomes a second at 8 kHz, whose voice stays as it is', (rate) => {
  const { samples, gain } = heard(rate, 1_000);
  expect(samples).toBeGreaterThan(7_960);
  expect(samples).toBeLessThanOrEqual(8_000);
  expect(gain).toBeCloseTo(1, 1);
  expect(heard(rate, 300).gain).toBeCloseTo(1, 1);
});

test.each([48_000, 44_100, 16_000])('at %d Hz, what 8 kHz cannot hold is silent instead of another tone', (rate) => {
  for (const hz of [4_500, 5_000, 7_000, 7_700]) expect(heard(rate, hz).gain).toBeLessThan(0.000_5);
});

test('the blocks in which sound comes make no difference', () => {
  expect(heard(44_100, 700, 128).made).toEqual(heard(44_100, 700, 441).made);
});
