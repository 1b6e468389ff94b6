import { array, assert, asyncProperty, integer, oneof, record } from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock as clock } from './clock.ts';
import { createFreshCache, StaleReadingError } from './fresh-cache.ts';

const BOUNDS = { maxAgeMs: 500, maxReadMs: 1_000, maxEntries: 3 };

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

test('concurrent lookups of a key share one read', async () => {
  const cache = createFreshCache<number>({ clock, ...BOUNDS });
  let reads = 0;
  const read = async () => (reads += 1);
  expect(await Promise.all([cache('a', read), cache('a', read), cache('a', read)])).toEqual([1, 1, 1]);
});

test('an entry is read again once it is too old', async () => {
  const cache = createFreshCache<number>({ clock, ...BOUNDS });
  let reads = 0;
  const read = async () => (reads += 1);
  expect(await cache('a', read)).toBe(1);
  await vi.advanceTimersByTimeAsync(500);
  expect(await cache('a', read)).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(await cache('a', read)).toBe(2);
});

test('a value from a read that took too long is not served', async () => {
  const cache = createFreshCache<string>({ clock, ...BOUNDS });
  const slow = cache('a', async () => {
    await new Promise<void>((resolve) => clock.after(1_001, resolve));
    return 'old';
  });
  const outcome = slow.catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(1_001);
  expect(await outcome).toBeInstanceOf(StaleReadingError);
  expect(await cache('a', async () => 'new')).toBe('new');
});

test('a failed read is not cached', async () => {
  const cache = createFreshCache<string>({ clock, ...BOUNDS });
  await expect(cache('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await cache('a', async () => 'back')).toBe('back');
});

test('the least recently used entry is evicted first', async () => {
  const cache = createFreshCache<string>({ clock, ...BOUNDS });
  const reads: string[] = [];
  const get = (key: string) =>
    cache(key, async () => {
      reads.push(key);
      return key;
    });
  for (const key of ['a', 'b', 'c', 'a', 'd', 'a', 'c', 'b']) await get(key);
  expect(reads).toEqual(['a', 'b', 'c', 'd', 'b']);
});

test('the previous value is passed to the next read, at any age', async () => {
  const cache = createFreshCache<string>({ clock, ...BOUNDS });
  await cache('a', async () => 'first');
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(await cache('a', async (previous) => `${previous} again`)).toBe('first again');
});

test('at any pace of reads and lookups, a value is never more than a second old', async () => {
  const step = record({
    waitMs: integer({ min: 0, max: 700 }),
    readMs: oneof(integer({ min: 0, max: 20 }), integer({ max: 2_000, min: 0 })),
  });
  await assert(
    asyncProperty(array(step, { minLength: 1, maxLength: 30 }), async (steps) => {
      const cache = createFreshCache<number>({ clock, ...BOUNDS });
      const answers: Promise<void>[] = [];
      for (const { waitMs, readMs } of steps) {
        await vi.advanceTimersByTimeAsync(waitMs);
        // The read returns what was true when it started, and returns late: the worst that a database can do.
        const answer = cache('a', async () => {
          const truthAtMs = clock.monotonicMs();
          await new Promise<void>((resolve) => clock.after(readMs, resolve));
          return truthAtMs;
        });
        answers.push(
          answer.then(
            (truthAtMs) => expect(clock.monotonicMs() - truthAtMs).toBeLessThanOrEqual(1_000),
            (error: unknown) => expect(error).toBeInstanceOf(StaleReadingError),
          ),
        );
      }
      await vi.advanceTimersByTimeAsync(5_000);
      await Promise.all(answers);
    }),
  );
});
