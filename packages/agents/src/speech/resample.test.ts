import { describe, expect, it } from 'vitest';
import { rmsOf, tone } from '../testing/sounds.ts';
import { toTelephoneRate } from './resample.ts';

const resampledRms = (hz: number) => {
  const samples = toTelephoneRate({ samples: tone(hz, 500, 10_000, 16_000), rateHz: 16_000 });
  // Excludes the filter's ramps at both ends.
  return rmsOf(samples.subarray(200, -200));
};
const FULL = 10_000 / Math.SQRT2;

describe('a sound resampled to 8 kHz', () => {
  it.each([200, 500, 1_000, 2_000, 3_000])('keeps a tone of %i Hz at its level', (hz) => {
    expect(resampledRms(hz) / FULL).toBeGreaterThan(0.95);
    expect(resampledRms(hz) / FULL).toBeLessThan(1.05);
  });

  it.each([4_300, 5_000, 6_000, 7_500])('does not alias %i Hz into the band: 50 dB down', (hz) => {
    expect(resampledRms(hz) / FULL).toBeLessThan(10 ** (-50 / 20));
  });

  it('has half the samples, and the same tone', () => {
    const samples = toTelephoneRate({ samples: tone(1_000, 500, 10_000, 16_000), rateHz: 16_000 });
    expect(samples).toHaveLength(4_000);
    const expected = tone(1_000, 500, 10_000);
    for (let index = 200; index < 3_800; index += 1)
      expect(Math.abs((samples[index] ?? 0) - (expected[index] ?? 0))).toBeLessThan(50);
  });

  it('is unchanged at 8 kHz, and rejected at a rate that is not a multiple', () => {
    const samples = tone(1_000, 100);
    expect(toTelephoneRate({ samples, rateHz: 8_000 })).toBe(samples);
    expect(() => toTelephoneRate({ samples, rateHz: 11_025 })).toThrow('11025');
  });
});
