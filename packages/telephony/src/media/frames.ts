import { FRAME_SAMPLES, type Frame } from '@outdial/calls';

/** Frames of a slab: an array of its own for each would cost more to make, and to throw away, than the sound in it. */
const SLAB_FRAMES = 256;
let slab = new Int16Array(0);
let usedSamples = 0;

/** A silent frame of one's own, to be filled. Those who hold frames for long hold their slabs: seconds, not calls. */
export function newFrame(): Frame {
  if (usedSamples === slab.length) {
    slab = new Int16Array(SLAB_FRAMES * FRAME_SAMPLES);
    usedSamples = 0;
  }
  usedSamples += FRAME_SAMPLES;
  return slab.subarray(usedSamples - FRAME_SAMPLES, usedSamples);
}

/** 20 ms of nothing, shared by all: never write into it. */
export const SILENCE: Frame = new Int16Array(FRAME_SAMPLES);

/** One stereo frame: as many samples of each channel, interleaved. */
export const STEREO_FRAME_SAMPLES = FRAME_SAMPLES * 2;

/** Writes both channels into `stereo` (STEREO_FRAME_SAMPLES long), left first. */
export function interleave(stereo: Int16Array, left: Frame, right: Frame): void {
  for (let at = 0; at < FRAME_SAMPLES; at += 1) {
    stereo[2 * at] = left[at] ?? 0;
    stereo[2 * at + 1] = right[at] ?? 0;
  }
}

/** The frame's level in linear 16-bit units: a full-scale sine has 23,170. */
export function rootMeanSquare(frame: Frame): number {
  let sum = 0;
  // By index: an iterator makes an object for every sample, fifty frames a second of every call.
  for (let at = 0; at < frame.length; at += 1) sum += (frame[at] ?? 0) ** 2;
  return Math.sqrt(sum / frame.length);
}

/** `samples` with silence up to a whole number of frames. */
export function padToFrames(samples: Int16Array): Int16Array {
  const remainder = samples.length % FRAME_SAMPLES;
  if (remainder === 0) return samples;
  const padded = new Int16Array(samples.length + FRAME_SAMPLES - remainder);
  padded.set(samples);
  return padded;
}
