import { expect, test } from 'vitest';
import { createSoundRate } from './sound-rate.ts';

test('sound passes in real time without end, in messages of any size', () => {
  for (const frames of [1, 2, 5, 10]) {
    const rate = createSoundRate(1_000);
    const passed = Array.from({ length: 10_000 }, (_, nth) => rate.takes(frames, 1_000 + nth * frames * 20));
    expect(passed.every(Boolean)).toBe(true);
  }
});

test('a second passes at once, what exceeds it is dropped, and time alone makes room', () => {
  const rate = createSoundRate(0);
  expect(Array.from({ length: 6 }, () => rate.takes(10, 0))).toEqual([true, true, true, true, true, false]);
  expect([rate.takes(1, 0), rate.takes(1, 19), rate.takes(1, 20), rate.takes(1, 20)]).toEqual([
    false,
    false,
    true,
    false,
  ]);
  // However long it is silent, a second is the most.
  const late = Array.from({ length: 100 }, () => rate.takes(1, 3_600_000));
  expect(late.filter(Boolean)).toHaveLength(50);
});
