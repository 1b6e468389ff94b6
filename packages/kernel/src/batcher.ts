/**
 * Group commit: while one batch is in flight, the next one gathers. There is no timer. An idle batcher sends at once; a
 * busy one sends whatever arrived during the last flight, so batches grow with the load without added latency.
 */
export interface Batcher<Item, Result> {
  /** Resolves with the item's own result, or rejects with its own error: one bad item fails one caller. */
  submit(item: Item): Promise<Result>;
  /** Resolves when no item is waiting or in flight. */
  idle(): Promise<void>;
}

export type BatchResult<Result> =
  | { readonly ok: true; readonly value: Result }
  | { readonly ok: false; readonly error: unknown };

export interface BatcherOptions<Item, Result> {
  /** Returns one entry per item, in the order of the items. A rejection fails the whole batch. */
  readonly flush: (items: readonly Item[]) => Promise<readonly BatchResult<Result>[]>;
  /** The largest batch. Further items go out with the next one. */
  readonly maxItems: number;
  /** How many batches may be in flight at once. */
  readonly maxInFlight?: number;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (value: Result) => void;
  readonly reject: (error: unknown) => void;
}

export function createBatcher<Item, Result>(options: BatcherOptions<Item, Result>): Batcher<Item, Result> {
  const { flush, maxItems, maxInFlight = 1 } = options;
  let gathered: Waiting<Item, Result>[] = [];
  let inFlight = 0;
  let scheduled = false;
  let idleWaiters: (() => void)[] = [];

  async function send(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await flush(batch.map((waiting) => waiting.item));
      for (const [index, waiting] of batch.entries()) {
        const result = results[index];
        if (result === undefined) waiting.reject(new Error('the flush returned fewer results than items'));
        else if (result.ok) waiting.resolve(result.value);
        else waiting.reject(result.error);
      }
    } catch (error) {
      for (const waiting of batch) waiting.reject(error);
    }
  }

  function pump(): void {
    scheduled = false;
    while (gathered.length > 0 && inFlight < maxInFlight) {
      const batch = gathered.slice(0, maxItems);
      gathered = gathered.slice(maxItems);
      inFlight += 1;
      void send(batch).finally(() => {
        inFlight -= 1;
        pump();
      });
    }
    if (gathered.length === 0 && inFlight === 0) {
      for (const wake of idleWaiters.splice(0)) wake();
    }
  }

  return {
    submit(item) {
      return new Promise((resolve, reject) => {
        gathered.push({ item, resolve, reject });
        // One turn of the event loop lets requests that were parsed in the same tick share the first batch.
        if (!scheduled && inFlight < maxInFlight) {
          scheduled = true;
          setImmediate(pump);
        }
      });
    },
    idle() {
      if (gathered.length === 0 && inFlight === 0) return Promise.resolve();
      return new Promise((resolve) => idleWaiters.push(resolve));
    },
  };
}
