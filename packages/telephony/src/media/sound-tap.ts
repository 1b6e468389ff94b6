import { FRAME_MS, type CallSound } from '@outdial/calls';
import { STEREO_FRAME_SAMPLES } from './frames.ts';

/** 100 ms: a message for every frame would cost both threads more than its samples. */
const BATCH_FRAMES = 5;
/** A second of sound that no reader has taken. What exceeds it is dropped. */
const MOST_WAITING = 10;

/** How many batches the reader has taken: a counter that two threads may share, so that no message goes back. */
export type TakenBatches = Int32Array<SharedArrayBuffer>;

export function takenBatches(shared = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)): TakenBatches {
  return new Int32Array(shared);
}

export interface OpenTap {
  /** In media time. */
  readonly forMs: number;
  readonly taken: TakenBatches;
  readonly onBatch: (batch: CallSound) => void;
}

/**
 * Copies the frames of one call while it is open, and costs a comparison while it is not. It closes after its time, and
 * never waits for its reader.
 */
export class SoundTap {
  #frame = 0;
  #framesLeft = 0;
  #open: OpenTap | undefined;
  #samples = new Int16Array(0);
  #filled = 0;
  #firstFrame = 0;
  /** Wraps like the counter of the reader. */
  #handedOver = 0;

  /** Opens it, or changes its time. The frames of a batch that has begun are kept. */
  open(tap: OpenTap): void {
    if (this.#open?.taken !== tap.taken) this.#handedOver = Atomics.load(tap.taken, 0);
    this.#open = tap;
    this.#framesLeft = Math.ceil(tap.forMs / FRAME_MS);
    if (this.#framesLeft === 0) this.#close();
  }

  /** Once for every frame of the call. */
  write(stereo: Int16Array): void {
    this.#frame += 1;
    if (!this.#open) return;
    if (this.#filled === 0) this.#firstFrame = this.#frame - 1;
    if (this.#samples.length === 0) this.#samples = new Int16Array(BATCH_FRAMES * STEREO_FRAME_SAMPLES);
    this.#samples.set(stereo, this.#filled * STEREO_FRAME_SAMPLES);
    this.#filled += 1;
    if (this.#filled === BATCH_FRAMES) this.#handOver(this.#open);
    this.#framesLeft -= 1;
    if (this.#framesLeft <= 0) this.#close();
  }

  #handOver({ taken, onBatch }: OpenTap): void {
    this.#filled = 0;
    const waiting = (this.#handedOver - Atomics.load(taken, 0)) | 0;
    // The next batch overwrites it.
    if (waiting >= MOST_WAITING) return;
    this.#handedOver = (this.#handedOver + 1) | 0;
    const samples = this.#samples;
    this.#samples = new Int16Array(0);
    onBatch({ firstFrame: this.#firstFrame, samples });
  }

  #close(): void {
    this.#open = undefined;
    this.#samples = new Int16Array(0);
    this.#filled = 0;
  }
}
