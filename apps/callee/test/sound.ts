import { FRAME_SAMPLES, SAMPLE_RATE_HZ } from '@outdial/calls';

/** A steady tone of whole frames, loud enough to count as speech for energy detection. */
export function tone(ms: number, hz = 300): Int16Array {
  const samples = new Int16Array(Math.ceil((ms * SAMPLE_RATE_HZ) / 1_000 / FRAME_SAMPLES) * FRAME_SAMPLES);
  return samples.map((_, at) => Math.round(8_000 * Math.sin((2 * Math.PI * hz * at) / SAMPLE_RATE_HZ)));
}

export function isLoud(samples: Int16Array): boolean {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return Math.sqrt(sum / samples.length) > 300;
}

/** The share of energy at one frequency (Goertzel): near 1 for a pure tone. */
export function shareAt(samples: Int16Array, hz: number): number {
  const turn = (2 * Math.PI * hz) / SAMPLE_RATE_HZ;
  let [one, two, energy] = [0, 0, 0];
  for (const sample of samples) {
    [one, two] = [sample + 2 * Math.cos(turn) * one - two, one];
    energy += sample * sample;
  }
  const power = one * one + two * two - 2 * Math.cos(turn) * one * two;
  return energy === 0 ? 0 : (2 * power) / (samples.length * energy);
}
