import { expect, it } from 'vitest';
import { SoundSchedule } from './sound-schedule.ts';

/** Places messages of 100 ms that come at these times. */
function placed(messages: readonly (readonly [frame: number, nowSeconds: number])[]) {
  const schedule = new SoundSchedule();
  return messages.map(([frame, now]) => {
    const at = schedule.place(frame, 5, now);
    return at === null ? null : Number(at.toFixed(3));
  });
}

it('plays without gaps, however unevenly the network delivers, as long as the delay covers it', () => {
  const messages = [0, 0.1, 0.32, 0.33, 0.4].map((now, nth) => [nth * 5, 10 + now] as const);
  expect(placed(messages)).toEqual([10.25, 10.35, 10.45, 10.55, 10.65]);
});

it('leaves silence where sound was dropped', () => {
  expect(
    placed(
      [
        [0, 0],
        [5, 0.1],
        [15, 0.3],
      ].map(([frame = 0, now = 0]) => [frame, now] as const),
    ),
  ).toEqual([0.25, 0.35, 0.55]);
});

it('begins again with the delay after the network stood still', () => {
  expect(
    placed(
      [
        [0, 0],
        [5, 3],
        [10, 3.1],
      ].map(([frame = 0, now = 0]) => [frame, now] as const),
    ),
  ).toEqual([0.25, 3.25, 3.35]);
});

it('skips what comes too fast, never plays two at once, and is never much more than a second behind', () => {
  const schedule = new SoundSchedule();
  let untilSeconds = 0;
  let played = 0;
  for (let nth = 0; nth < 600; nth += 1) {
    const now = nth / 30;
    const at = schedule.place(nth * 5, 5, now);
    if (at === null) continue;
    expect(at).toBeGreaterThanOrEqual(untilSeconds - 1e-9);
    untilSeconds = at + 0.1;
    expect(untilSeconds - now).toBeLessThanOrEqual(1.25 + 1e-9);
    played += 1;
  }
  // A third of what came: as much as fits into the time.
  expect(played).toBeGreaterThan(200);
  expect(played).toBeLessThan(215);
});
