import { fakeClock } from '@outdial/testkit';
import { expect, test } from 'vitest';
import { createStallDetector, STALLED_AFTER_MS } from './stall-detector.ts';

test('calls that wait beside free room for thirty seconds, none taken, mean a wedged taker', async () => {
  const clock = fakeClock();
  const watch = createStallDetector(clock);
  await clock.advance(STALLED_AFTER_MS - 1);
  expect(watch.isWedged({ waiting: 1, room: 1 })).toBe(false);
  await clock.advance(1);
  expect(watch.isWedged({ waiting: 1, room: 1 })).toBe(true);
});

test('an empty queue, a full worker and a call just taken are not wedged', async () => {
  const clock = fakeClock();
  const watch = createStallDetector(clock);
  for (const seen of [
    { waiting: 0, room: 1 },
    { waiting: 1, room: 0 },
  ]) {
    await clock.advance(10 * STALLED_AFTER_MS);
    expect(watch.isWedged(seen)).toBe(false);
    expect(watch.isWedged({ waiting: 1, room: 1 })).toBe(false);
  }
  await clock.advance(STALLED_AFTER_MS - 1);
  watch.taken();
  await clock.advance(1);
  expect(watch.isWedged({ waiting: 1, room: 1 })).toBe(false);
});

test('a taker that was just put in has thirty seconds of its own', async () => {
  const clock = fakeClock();
  const watch = createStallDetector(clock);
  await clock.advance(STALLED_AFTER_MS);
  expect(watch.isWedged({ waiting: 1, room: 1 })).toBe(true);
  expect(watch.isWedged({ waiting: 1, room: 1 })).toBe(false);
});
