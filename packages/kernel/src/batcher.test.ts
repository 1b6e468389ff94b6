import { describe, expect, it } from 'vitest';
import { createBatcher, type BatchResult } from './batcher.ts';

interface Flush {
  readonly items: readonly number[];
  readonly finish: (results?: readonly BatchResult<number>[]) => void;
  readonly fail: (error: Error) => void;
}

function controlled(maxItems: number, maxInFlight = 1) {
  const flushes: Flush[] = [];
  let wake: (() => void) | undefined;
  const batcher = createBatcher<number, number>({
    maxItems,
    maxInFlight,
    flush: (items) =>
      new Promise((resolve, reject) => {
        const finish = (results?: readonly BatchResult<number>[]) =>
          resolve(results ?? items.map((item) => ({ ok: true, value: item * 10 })));
        flushes.push({ items, finish, fail: reject });
        wake?.();
      }),
  });
  const nextFlush = async (): Promise<Flush> => {
    if (flushes.length === 0) await new Promise<void>((resolve) => (wake = resolve));
    const flush = flushes.shift();
    if (!flush) throw new Error('resolved without a flush');
    return flush;
  };
  return { batcher, nextFlush };
}

describe('a batcher', () => {
  it('sends the items of one tick together', async () => {
    const { batcher, nextFlush } = controlled(10);
    const results = Promise.all([batcher.submit(1), batcher.submit(2), batcher.submit(3)]);
    const flush = await nextFlush();
    expect(flush.items).toEqual([1, 2, 3]);
    flush.finish();
    expect(await results).toEqual([10, 20, 30]);
  });

  it('gathers items while a batch is in flight, and sends them as one batch', async () => {
    const { batcher, nextFlush } = controlled(10);
    const first = batcher.submit(1);
    const firstFlush = await nextFlush();
    const later = [batcher.submit(2), batcher.submit(3)];
    firstFlush.finish();
    const secondFlush = await nextFlush();
    expect(secondFlush.items).toEqual([2, 3]);
    secondFlush.finish();
    expect(await Promise.all([first, ...later])).toEqual([10, 20, 30]);
  });

  it('never exceeds the maximum batch size', async () => {
    const { batcher, nextFlush } = controlled(2);
    const results = Promise.all([1, 2, 3, 4, 5].map((item) => batcher.submit(item)));
    const sizes: number[] = [];
    for (let count = 0; count < 3; count += 1) {
      const flush = await nextFlush();
      sizes.push(flush.items.length);
      flush.finish();
    }
    expect(sizes).toEqual([2, 2, 1]);
    expect(await results).toEqual([10, 20, 30, 40, 50]);
  });

  it('fails only the caller whose item is bad', async () => {
    const { batcher, nextFlush } = controlled(10);
    const good = batcher.submit(1);
    const bad = batcher.submit(2);
    (await nextFlush()).finish([
      { ok: true, value: 7 },
      { ok: false, error: new Error('rejected') },
    ]);
    await expect(bad).rejects.toThrow('rejected');
    expect(await good).toBe(7);
  });

  it('fails every caller of a batch that fails as a whole, and continues with the next batch', async () => {
    const { batcher, nextFlush } = controlled(10);
    const lost = batcher.submit(1);
    (await nextFlush()).fail(new Error('away'));
    await expect(lost).rejects.toThrow('away');
    const next = batcher.submit(2);
    (await nextFlush()).finish();
    expect(await next).toBe(20);
  });

  it('is idle once every item has its result', async () => {
    const { batcher, nextFlush } = controlled(1);
    const results = [batcher.submit(1), batcher.submit(2)];
    let idle = false;
    const waiting = batcher.idle().then(() => (idle = true));
    (await nextFlush()).finish();
    expect(idle).toBe(false);
    (await nextFlush()).finish();
    await waiting;
    expect(await Promise.all(results)).toEqual([10, 20]);
  });
});
