import { useEffect, useEffectEvent, useState } from 'react';

/** Between two renderings of a burst: faster than this nobody reads, and each costs a repaint of the page. */
const LEAST_GAP_MS = 150;

/**
 * Collects what comes, by id, and hands it on in a frame: at once if nothing came lately, else a few times a second,
 * however fast it comes.
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
  #handedMs = -Infinity;

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
    const waitMs = this.#handedMs + LEAST_GAP_MS - performance.now();
    if (waitMs <= 0) return this.#requestFrame();
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#requestFrame();
    }, waitMs);
  }

  #requestFrame(): void {
    this.#frame = requestAnimationFrame(() => {
      this.#frame = null;
      this.#handedMs = performance.now();
      const items = this.#items;
      this.#items = new Map();
      this.#onBatch?.(items);
    });
  }
}
