import { createLogger } from '@outdial/kernel';
import { fakeClock } from '@outdial/testkit';
import { expect, test } from 'vitest';
import { startLoop, type LoopOptions } from './loop.ts';

function options(over: Partial<LoopOptions> & Pick<LoopOptions, 'clock' | 'round'>): LoopOptions {
  const logger = createLogger({ name: 'test', level: 'silent' });
  return { name: 'test', intervalMs: 1_000, logger, random: () => 0.5, ...over };
}

test('rounds run one after the other, with the pause counted from the end of the previous one', async () => {
  const clock = fakeClock();
  const startedAtMs: number[] = [];
  const round = async () => {
    startedAtMs.push(clock.monotonicMs());
    await new Promise<void>((resolve) => clock.after(500, resolve));
  };
  const loop = startLoop(options({ clock, round }));
  await clock.advance(4_000);
  expect(startedAtMs).toEqual([0, 1_500, 3_000]);
  const stopped = loop.stop();
  await clock.advance(500);
  await stopped;
});

test('a round that fails is followed by the next', async () => {
  const clock = fakeClock();
  let rounds = 0;
  const round = async () => {
    rounds += 1;
    throw new Error('a store is away');
  };
  const loop = startLoop(options({ clock, round }));
  await clock.advance(2_500);
  expect(rounds).toBe(3);
  await loop.stop();
});

test('a failed daily round is retried within minutes, and then runs once a day', async () => {
  const clock = fakeClock();
  const startedAtMs: number[] = [];
  const round = async () => {
    startedAtMs.push(clock.monotonicMs());
    if (startedAtMs.length < 3) throw new Error('a store is away');
  };
  const day = 24 * 3_600_000;
  const loop = startLoop(options({ clock, round, intervalMs: day }));
  await clock.advance(120_000);
  await clock.advance(day);
  expect(startedAtMs).toEqual([0, 60_000, 120_000, 120_000 + day]);
  await loop.stop();
});

test('workers that start together do not sweep together', async () => {
  const clock = fakeClock();
  const rounds = { early: 0, late: 0 };
  const early = startLoop(options({ clock, random: () => 0, round: async () => (rounds.early += 1) }));
  const late = startLoop(options({ clock, random: () => 0.999, round: async () => (rounds.late += 1) }));
  await clock.advance(8_500);
  expect(rounds).toEqual({ early: 11, late: 8 });
  await Promise.all([early.stop(), late.stop()]);
});

test('after a stop no round starts, and the running one finishes', async () => {
  const clock = fakeClock();
  const finished: number[] = [];
  const round = async () => {
    await new Promise<void>((resolve) => clock.after(500, resolve));
    finished.push(clock.monotonicMs());
  };
  const loop = startLoop(options({ clock, round }));
  await clock.advance(100);
  const stopped = loop.stop();
  await clock.advance(10_000);
  await stopped;
  expect(finished).toEqual([500]);
});

test('a long round receives an abort when the loop stops', async () => {
  const clock = fakeClock();
  let hasEnded = false;
  const round = async (stopping: AbortSignal) => {
    await new Promise<void>((resolve) => stopping.addEventListener('abort', () => resolve()));
    hasEnded = true;
  };
  const loop = startLoop(options({ clock, round }));
  await loop.stop();
  expect(hasEnded).toBe(true);
});

test('a round that is asked for follows at once: after the running one, or in place of the rest of the pause', async () => {
  const clock = fakeClock();
  const startedAtMs: number[] = [];
  const round = async () => {
    startedAtMs.push(clock.monotonicMs());
    await new Promise<void>((resolve) => clock.after(500, resolve));
  };
  const loop = startLoop(options({ clock, round }));
  await clock.advance(100);
  loop.hint();
  await clock.advance(900);
  expect(startedAtMs).toEqual([0, 500]);
  await clock.advance(200);
  loop.hint();
  await clock.advance(1_600);
  // It is asked for once: the one after it waits as ever.
  expect(startedAtMs).toEqual([0, 500, 1_200, 2_700]);
  const stopped = loop.stop();
  await clock.advance(500);
  await stopped;
});
