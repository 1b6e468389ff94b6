import { FRAME_SAMPLES, type Frame } from '@outdial/calls';

/** 20 ms of silence, shared: never write into it. */
export const SILENCE: Frame = new Int16Array(FRAME_SAMPLES);

/** Samples of one stereo frame, left and right interleaved. */
export const STEREO_FRAME_SAMPLES = FRAME_SAMPLES * 2;

/** Interleaves both sides into `stereo` (STEREO_FRAME_SAMPLES long), left first. */
export function interleave(stereo: Int16Array, left: Frame, right: Frame): void {
  for (let at = 0; at < FRAME_SAMPLES; at += 1) {
    stereo[2 * at] = left[at] ?? 0;
    stereo[2 * at + 1] = right[at] ?? 0;
  }
}

/** The frame's level in linear 16-bit units: a full-scale sine has 23,170. */
export function rootMeanSquare(frame: Frame): number {
  let sum = 0;
  // By index: an iterator allocates an object for every sample, fifty frames a second for every call.
  for (let at = 0; at < frame.length; at += 1) sum += (frame[at] ?? 0) ** 2;
  return Math.sqrt(sum / frame.length);
}

/** `samples`, padded with silence to a whole number of frames. */
export function padToFrames(samples: Int16Array): Int16Array {
  const remainder = samples.length % FRAME_SAMPLES;
  if (remainder === 0) return samples;
  const padded = new Int16Array(samples.length + FRAME_SAMPLES - remainder);
  padded.set(samples);
  return padded;
}
