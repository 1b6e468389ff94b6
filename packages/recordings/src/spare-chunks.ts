import { SAMPLE_RATE_HZ } from '@outdial/calls';

export const CHANNELS = 2;
/** A chunk: two seconds of sound on both sides. */
export const CHUNK_SAMPLES = 2 * SAMPLE_RATE_HZ * CHANNELS;
/** As many as slow disks may leave over; more are collected. */
const MOST_SPARE_CHUNKS = 64;

export type Chunk = Int16Array<ArrayBuffer>;

/**
 * Chunks that are written. Memory that lives for two seconds is collected only with everything else of a thread: with 200
 * calls, voice would pause for that about once a second.
 */
export class SpareChunks {
  readonly #chunks: Chunk[] = [];

  take(): Chunk {
    return this.#chunks.pop() ?? new Int16Array(CHUNK_SAMPLES);
  }

  add(chunk: Chunk): void {
    if (this.#chunks.length < MOST_SPARE_CHUNKS) this.#chunks.push(chunk);
  }
}
