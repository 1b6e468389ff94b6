/** A little more than a second, in samples; a power of two. */
const CAPACITY = 8_192;

/** Timestamps may be negative or exceed 32 bits: the mask keeps the same bits. */
const slotOf = (timestamp: number): number => timestamp & (CAPACITY - 1);

/**
 * The samples of a sliding window of time, each at its timestamp, known or missing. Timestamps are unwrapped and may be
 * negative. The caller keeps the content within `CAPACITY` samples.
 */
export class SampleWindow {
  static readonly capacity = CAPACITY;
  readonly #samples = new Int16Array(CAPACITY);
  readonly #known = new Uint8Array(CAPACITY);

  /** Stores samples that are not known yet, and returns how many were new. */
  store(timestamp: number, samples: Int16Array): number {
    const from = slotOf(timestamp);
    const to = from + samples.length;
    // The usual packet: all of it new, and in one piece.
    if (to <= CAPACITY && this.#isUnknown(from, to)) {
      this.#samples.set(samples, from);
      this.#known.fill(1, from, to);
      return samples.length;
    }
    return this.#storeUnknown(timestamp, samples);
  }

  #isUnknown(from: number, to: number): boolean {
    for (let slot = from; slot < to; slot += 1) if (this.#known[slot] === 1) return false;
    return true;
  }

  /**
   * Moves the samples from `timestamp` on into `target`. Sets `known` to 1 for each known sample; the others must be
   * concealed.
   */
  take(timestamp: number, target: Int16Array, known: Uint8Array): void {
    const from = slotOf(timestamp);
    const first = Math.min(target.length, CAPACITY - from);
    this.#move(from, 0, first, target, known);
    if (first < target.length) this.#move(0, first, target.length - first, target, known);
  }

  /** The peak of the samples; missing ones count as silent. */
  peak(timestamp: number, count: number): number {
    let peak = 0;
    for (let at = 0; at < count; at += 1) {
      const slot = slotOf(timestamp + at);
      if (this.#known[slot]) peak = Math.max(peak, Math.abs(this.#samples[slot] ?? 0));
    }
    return peak;
  }

  drop(timestamp: number, count: number): void {
    for (let at = 0; at < Math.min(count, CAPACITY); at += 1) this.#known[slotOf(timestamp + at)] = 0;
  }

  clear(): void {
    this.#known.fill(0);
  }

  #storeUnknown(timestamp: number, samples: Int16Array): number {
    let stored = 0;
    for (let at = 0; at < samples.length; at += 1) {
      const slot = slotOf(timestamp + at);
      if (this.#known[slot]) continue;
      this.#known[slot] = 1;
      this.#samples[slot] = samples[at] ?? 0;
      stored += 1;
    }
    return stored;
  }

  #move(slot: number, at: number, count: number, target: Int16Array, known: Uint8Array): void {
    // By index: two views of each frame would have to be collected.
    for (let nth = 0; nth < count; nth += 1) {
      target[at + nth] = this.#samples[slot + nth] ?? 0;
      known[at + nth] = this.#known[slot + nth] ?? 0;
    }
    this.#known.fill(0, slot, slot + count);
  }
}
