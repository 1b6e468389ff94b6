import { randomUUID } from 'node:crypto';
import { callIdSchema, type CallId } from '@outdial/contracts';

export function newCallId(): CallId {
  return callIdSchema.parse(randomUUID());
}

/** Collects events and lets a test wait for them. */
export interface Recorder<Item> {
  readonly items: readonly Item[];
  record(item: Item): void;
  /** Resolves once there are that many items. */
  until(count: number): Promise<readonly Item[]>;
}

export function createRecorder<Item>(): Recorder<Item> {
  const items: Item[] = [];
  let waiters: { readonly count: number; readonly wake: () => void }[] = [];
  return {
    items,
    record(item) {
      items.push(item);
      for (const waiter of waiters) if (items.length >= waiter.count) waiter.wake();
      waiters = waiters.filter((waiter) => items.length < waiter.count);
    },
    async until(count) {
      if (items.length < count) await new Promise<void>((resolve) => waiters.push({ count, wake: resolve }));
      return items;
    },
  };
}
