/** A map that keeps its latest entries, so that what its owner forgets to remove goes with time. */
export class RecentMap<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  readonly #most: number;
  readonly #onEvicted: (value: Value) => void;

  constructor(most: number, onEvicted: (value: Value) => void = () => undefined) {
    this.#most = most;
    this.#onEvicted = onEvicted;
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  set(key: Key, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#most) return;
    for (const [oldest, evicted] of this.#entries) {
      this.#entries.delete(oldest);
      this.#onEvicted(evicted);
      return;
    }
  }

  /** Removes the entry, and returns it. */
  take(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined) this.#entries.delete(key);
    return value;
  }
}

/** Traced calls of which a process keeps something. More are traced only in part. */
export const MOST_TRACED = 10_000;
