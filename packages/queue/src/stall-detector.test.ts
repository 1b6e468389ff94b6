import { fakeClock } from '@outdial/testkit';
import { expect, test } from 'vitest';
import { createStallDetector, STALLED_AFTER_MS } from './stall-detector.ts';

test('calls that wait for thirty seconds beside free room, without any being taken, mean a stall', async () => {
  const clock = fakeClock();
  const detector = createStallDetector(clock);
  await clock.advance(STALLED_AFTER_MS - 1);
  expect(detector.isStalled({ waiting: 1, room: 1 })).toBe(false);
  await clock.advance(1);
  expect(detector.isStalled({ waiting: 1, room: 1 })).toBe(true);
});

test('an empty queue, a full worker and a call that was just taken are no stall', async () => {
  const clock = fakeClock();
  const detector = createStallDetector(clock);
  for (const seen of [
    { waiting: 0, room: 1 },
    { waiting: 1, room: 0 },
  ]) {
    await clock.advance(10 * STALLED_AFTER_MS);
    expect(detector.isStalled(seen)).toBe(false);
    expect(detector.isStalled({ waiting: 1, room: 1 })).toBe(false);
  }
  await clock.advance(STALLED_AFTER_MS - 1);
  detector.taken();
  await clock.advance(1);
  expect(detector.isStalled({ waiting: 1, room: 1 })).toBe(false);
});

test('a new BullMQ worker gets its own thirty seconds', async () => {
  const clock = fakeClock();
  const detector = createStallDetector(clock);
  await clock.advance(STALLED_AFTER_MS);
  expect(detector.isStalled({ waiting: 1, room: 1 })).toBe(true);
  expect(detector.isStalled({ waiting: 1, room: 1 })).toBe(false);
});
