import { useEffect, useEffectEvent, useState } from 'react';

/** Collects what comes, by id, and hands it on once per frame: fifty changes a second are one rendering each frame. */
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
  #frame: number | null = null;
  #onBatch: ((batch: ReadonlyMap<string, T>) => void) | null = null;

  readonly add = (item: T): void => {
    this.#items.set(item.id, item);
    this.#request();
  };

  start(onBatch: (batch: ReadonlyMap<string, T>) => void): () => void {
    this.#onBatch = onBatch;
    this.#request();
    return () => {
      this.#onBatch = null;
      if (this.#frame !== null) cancelAnimationFrame(this.#frame);
      this.#frame = null;
    };
  }

  #request(): void {
    if (this.#frame !== null || this.#onBatch === null || this.#items.size === 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = null;
      const items = this.#items;
      this.#items = new Map();
      this.#onBatch?.(items);
    });
  }
}
