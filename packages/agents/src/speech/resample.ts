import { SAMPLE_RATE_HZ } from '@outdial/calls';
import type { Sound } from './wav.ts';

const CUTOFF_HZ = 3_500;
const TAPS_PER_RATIO = 48;

/**
 * Resamples a sound to the telephone's 8 kHz. Frequencies above 4 kHz would alias into the band as a hiss on every `s`, so
 * a windowed-sinc low-pass (Blackman, at least 60 dB down at 4.2 kHz) comes before the decimation.
 */
export function toTelephoneRate(sound: Sound): Int16Array {
  const ratio = sound.rateHz / SAMPLE_RATE_HZ;
  if (!Number.isInteger(ratio) || ratio < 1)
    throw new Error(`cannot resample ${sound.rateHz} Hz to ${SAMPLE_RATE_HZ} Hz`);
  if (ratio === 1) return sound.samples;
  const taps = lowPass(sound.rateHz, TAPS_PER_RATIO * ratio + 1);
  const half = (taps.length - 1) / 2;
  const { samples } = sound;
  const output = new Int16Array(Math.ceil(samples.length / ratio));
  for (let index = 0; index < output.length; index += 1) {
    const first = index * ratio - half;
    let sum = 0;
    for (let tap = Math.max(0, -first); tap < taps.length && first + tap < samples.length; tap += 1) {
      sum += (taps[tap] ?? 0) * (samples[first + tap] ?? 0);
    }
    output[index] = Math.max(-32_768, Math.min(32_767, Math.round(sum)));
  }
  return output;
}

/** Coefficients with unity gain at 0 Hz. */
function lowPass(rateHz: number, count: number): Float64Array {
  const half = (count - 1) / 2;
  const cutoff = CUTOFF_HZ / rateHz;
  const taps = Float64Array.from({ length: count }, (_, index) => {
    const offset = index - half;
    const sinc = offset === 0 ? 2 * cutoff : Math.sin(2 * Math.PI * cutoff * offset) / (Math.PI * offset);
    const phase = (2 * Math.PI * index) / (count - 1);
    return sinc * (0.42 - 0.5 * Math.cos(phase) + 0.08 * Math.cos(2 * phase));
  });
  const gain = taps.reduce((sum, tap) => sum + tap, 0);
  return taps.map((tap) => tap / gain);
}
