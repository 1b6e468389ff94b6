import type { CallSound } from '@outdial/calls';
import { encodeG711 } from '../rtp/g711.ts';
import type { SoundBatch, TakenBatches } from './sound-tap.ts';

/** Encodes a batch, outside the media thread, and makes room for another one. */
export function takeSound({ firstFrame, samples }: SoundBatch, taken: TakenBatches): CallSound {
  Atomics.add(taken, 0, 1);
  const ulaw = new Uint8Array(samples.length);
  encodeG711('PCMU', samples, ulaw, 0);
  return { firstFrame, ulaw };
}
