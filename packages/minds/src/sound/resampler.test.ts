import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Resampler } from './resampler.ts';
import { samplesOfUlaw, ulawOfSamples } from './ulaw.ts';

const AMPLITUDE = 10_000;

const tone = (hz: number, rateHz: number, ms: number): Int16Array =>
  Int16Array.from({ length: (rateHz * ms) / 1_000 }, (_, at) => AMPLITUDE * Math.sin((2 * Math.PI * hz * at) / rateHz));

function resampled(sound: Int16Array, fromHz: number, toHz: number, pieces: readonly number[] = []): Int16Array {
  const resampler = new Resampler(fromHz, toHz);
  const output: number[] = [];
  let at = 0;
  for (const piece of pieces) {
    output.push(...resampler.add(sound.subarray(at, at + piece)));
    at += piece;
  }
  return Int16Array.from([...output, ...resampler.add(sound.subarray(at)), ...resampler.end()]);
}

/** Without both ends, where a tone begins and stops. */
function levelDb(sound: Int16Array): number {
  const middle = sound.subarray(400, -400);
  const mean = middle.reduce((sum, sample) => sum + sample * sample, 0) / middle.length;
  return 20 * Math.log10(Math.sqrt(mean) / (AMPLITUDE / Math.SQRT2));
}

describe.each([24_000, 22_050, 16_000, 44_100, 48_000, 47_999, 11_025])('from %i Hz to the telephone', (rateHz) => {
  test('speech keeps its level, and its length to a sample', () => {
    for (const hz of [200, 1_000, 3_000]) {
      const output = resampled(tone(hz, rateHz, 1_000), rateHz, 8_000);
      expect(Math.abs(output.length - 8_000)).toBeLessThanOrEqual(1);
      expect(Math.abs(levelDb(output))).toBeLessThan(0.1);
    }
  });

  test('what the telephone cannot carry is gone, and is not folded into its band', () => {
    for (const hz of [4_300, 5_000])
      expect(levelDb(resampled(tone(hz, rateHz, 1_000), rateHz, 8_000))).toBeLessThan(-55);
  });

  test('a tone keeps its phase: nothing is early or late', () => {
    const output = resampled(tone(440, rateHz, 200), rateHz, 8_000);
    const expected = tone(440, 8_000, 200);
    for (let at = 200; at < output.length - 200; at += 1) {
      expect(Math.abs((output[at] ?? 0) - (expected[at] ?? 0))).toBeLessThan(60);
    }
  });
});

test('to 16 kHz and back, speech is as it was', () => {
  const sound = tone(1_000, 8_000, 500);
  const back = resampled(resampled(sound, 8_000, 16_000), 16_000, 8_000);
  expect(back).toHaveLength(sound.length);
  for (let at = 200; at < sound.length - 200; at += 1) {
    expect(Math.abs((back[at] ?? 0) - (sound[at] ?? 0))).toBeLessThan(40);
  }
});

test('the pieces in which a sound comes change nothing', () => {
  const sound = tone(700, 22_050, 100);
  const whole = resampled(sound, 22_050, 8_000);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 700 }), { maxLength: 12 }), (pieces) => {
      expect(resampled(sound, 22_050, 8_000, pieces)).toEqual(whole);
    }),
    { numRuns: 40 },
  );
});

test('µ-law to samples and back is the same code, but for the second zero', () => {
  const codes = Uint8Array.from({ length: 256 }, (_, code) => code);
  const back = ulawOfSamples(samplesOfUlaw(codes));
  expect([...back].filter((code, at) => code !== codes[at])).toEqual([0xff]);
});

test('rates of which each is a new one cost little, and leave the usual ones alone', () => {
  const { user: before } = process.cpuUsage();
  const sound = new Int16Array(10);
  for (let rateHz = 90_001; rateHz < 90_101; rateHz += 2) new Resampler(rateHz, 8_000).add(sound);
  const { user: after } = process.cpuUsage();
  expect((after - before) / 1_000).toBeLessThan(2_000);
});
