import { useEffect, useEffectEvent, useState } from 'react';

/** The minimum time between two renders of a burst: each repaints the page, and users cannot read faster. */
const MIN_INTERVAL_MS = 150;

/**
 * Collects items by id and delivers them in an animation frame: immediately after a pause, else a few times a second.
 */
export function useFrameBatch<T extends { readonly id: string }>(
  onBatch: (batch: ReadonlyMap<string, T>) => void,
): (item: T) => void {
  const onFrame = useEffectEvent(onBatch);
  const [batch] = useState(() => new FrameBatch<T>());
  useEffect(() => batch.start((items) => onFrame(items)), [batch]);
  return batch.add;
}

class FrameBatch<T extends { readonly id: string }> {
  #items = new Map<string, T>();
  #onBatch: ((batch: ReadonlyMap<string, T>) => void) | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #frame: number | null = null;
  #deliveredMs = -Infinity;

  readonly add = (item: T): void => {
    this.#items.set(item.id, item);
    this.#schedule();
  };

  start(onBatch: (batch: ReadonlyMap<string, T>) => void): () => void {
    this.#onBatch = onBatch;
    this.#schedule();
    return () => {
      this.#onBatch = null;
      if (this.#timer !== null) clearTimeout(this.#timer);
      if (this.#frame !== null) cancelAnimationFrame(this.#frame);
      this.#timer = this.#frame = null;
    };
  }

  #schedule(): void {
    const isWaiting = this.#timer !== null || this.#frame !== null;
    if (isWaiting || this.#onBatch === null || this.#items.size === 0) return;
    const waitMs = this.#deliveredMs + MIN_INTERVAL_MS - performance.now();
    if (waitMs <= 0) return this.#requestFrame();
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#requestFrame();
    }, waitMs);
  }

  #requestFrame(): void {
    this.#frame = requestAnimationFrame(() => {
      this.#frame = null;
      this.#deliveredMs = performance.now();
      const items = this.#items;
      this.#items = new Map();
      this.#onBatch?.(items);
    });
  }
}
