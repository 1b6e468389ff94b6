import { pause } from '@outdial/kernel';
import { expect, test } from 'vitest';

import { fakeClock } from './fake-clock.ts';

test('time stands still until it is advanced', async () => {
  const clock = fakeClock(1_000);
  expect([clock.nowMs(), clock.monotonicMs()]).toEqual([1_000, 0]);
  await clock.advance(250);
  expect([clock.nowMs(), clock.monotonicMs()]).toEqual([1_250, 250]);
});

test('timers fire in the order they fall due, each at its own time', async () => {
  const clock = fakeClock();
  const fired: string[] = [];
  for (const delayMs of [30, 10, 20]) clock.after(delayMs, () => fired.push(`${delayMs} at ${clock.monotonicMs()}`));
  await clock.advance(25);
  expect(fired).toEqual(['10 at 10', '20 at 20']);
  expect(clock.pendingTimers()).toBe(1);
});

test('timers due at the same time fire in the order they were set', async () => {
  const clock = fakeClock();
  const fired: number[] = [];
  for (const number of [1, 2, 3]) clock.after(5, () => fired.push(number));
  await clock.advance(5);
  expect(fired).toEqual([1, 2, 3]);
});

test('a cancelled timer never fires', async () => {
  const clock = fakeClock();
  let fired = false;
  clock.after(5, () => (fired = true)).cancel();
  await clock.advance(10);
  expect(fired).toBe(false);
});

test('one advance runs a whole chain of timers', async () => {
  const clock = fakeClock();
  const reached: number[] = [];
  const chain = (async () => {
    for (let step = 0; step < 5; step += 1) {
      await pause(clock, 100);
      reached.push(clock.monotonicMs());
    }
  })();
  await clock.advance(500);
  await chain;
  expect(reached).toEqual([100, 200, 300, 400, 500]);
});

test('a step of the wall clock moves no deadline', async () => {
  const clock = fakeClock(0);
  let fired = false;
  clock.after(100, () => (fired = true));
  clock.stepWallClock(3_600_000);
  await clock.advance(99);
  expect([fired, clock.nowMs()]).toEqual([false, 3_600_099]);
});
