import type { Clock } from '@outdial/kernel';
import { expect, test } from 'vitest';
import { createReading, CACHE_TTL_MS, READ_TIMEOUT_MS } from './reading.ts';

/** Time passes when the test says so. */
function manualClock() {
  let nowMs = 0;
  let due: { readonly atMs: number; readonly callback: () => void }[] = [];
  const clock: Clock = {
    nowMs: () => nowMs,
    monotonicMs: () => nowMs,
    after(delayMs, callback) {
      const timer = { atMs: nowMs + delayMs, callback };
      due.push(timer);
      return { cancel: () => void (due = due.filter((other) => other !== timer)) };
    },
  };
  return {
    clock,
    pass: (ms: number) => {
      nowMs += ms;
      const over = due.filter(({ atMs }) => atMs <= nowMs);
      due = due.filter(({ atMs }) => atMs > nowMs);
      for (const { callback } of over) callback();
    },
  };
}

function stage(answer: () => Promise<number>) {
  const { clock, pass } = manualClock();
  const shown: (number | null)[] = [];
  let reads = 0;
  const read = createReading({
    clock,
    read() {
      reads += 1;
      return answer();
    },
    show: (value) => void shown.push(value),
  });
  return { read, pass, shown, reads: () => reads };
}

test('scrapes at once, and shortly after each other, share a reading', async () => {
  const { read, pass, shown, reads } = stage(async () => 7);
  await Promise.all([read(), read(), read()]);
  pass(CACHE_TTL_MS - 1);
  await read();
  expect([reads(), shown]).toEqual([1, [7]]);
  pass(1);
  await read();
  expect([reads(), shown]).toEqual([2, [7, 7]]);
});

test('a store that hangs is given up for the scrape, and not asked a second time meanwhile', async () => {
  const { read, pass, shown, reads } = stage(() => new Promise(() => undefined));
  for (const _ of [1, 2]) {
    const scrape = read();
    pass(READ_TIMEOUT_MS);
    await scrape;
  }
  expect([reads(), shown]).toEqual([1, [null, null]]);
});

test('a reading that fails shows nothing, and the next scrape reads again', async () => {
  let isAway = true;
  const { read, shown } = stage(async () => {
    if (isAway) throw new Error('away');
    return 1;
  });
  await read();
  isAway = false;
  await read();
  expect(shown).toEqual([null, 1]);
});
