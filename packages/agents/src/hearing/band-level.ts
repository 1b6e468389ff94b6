import { SAMPLE_RATE_HZ, type Frame } from '@outdial/calls';

/** Telephone speech starts at 300 Hz; below it is the rumble of engines, wind and mains. */
const CUTOFF_HZ = 250;

/** The loudness above the rumble. */
export interface BandLevel {
  /** Root mean square of one frame, in units of a 16-bit sample. */
  of(frame: Frame): number;
}

/** A second-order Butterworth high-pass (bilinear transform) with state across frames. */
export function createBandLevel(): BandLevel {
  const warped = Math.tan((Math.PI * CUTOFF_HZ) / SAMPLE_RATE_HZ);
  const scale = 1 / (1 + Math.SQRT2 * warped + warped * warped);
  const feedback1 = 2 * (warped * warped - 1) * scale;
  const feedback2 = (1 - Math.SQRT2 * warped + warped * warped) * scale;
  // An array of numbers: those of an object are boxed again at every frame.
  const state = new Float64Array(4);
  return {
    of(frame) {
      // In local variables: a number that outlives the function is boxed again at every change.
      let in1 = state[0] ?? 0;
      let in2 = state[1] ?? 0;
      let out1 = state[2] ?? 0;
      let out2 = state[3] ?? 0;
      let energy = 0;
      // By index, because an iterator would allocate an object per sample.
      for (let index = 0; index < frame.length; index += 1) {
        const sample = frame[index] ?? 0;
        const out = scale * (sample - 2 * in1 + in2) - feedback1 * out1 - feedback2 * out2;
        in2 = in1;
        in1 = sample;
        out2 = out1;
        out1 = out;
        energy += out * out;
      }
      state[0] = in1;
      state[1] = in2;
      state[2] = out1;
      state[3] = out2;
      return Math.sqrt(energy / frame.length);
    },
  };
}
