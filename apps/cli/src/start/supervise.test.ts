import { fakeClock } from '@outdial/testkit';
import { describe, expect, test } from 'vitest';
import type { ServiceEnd, ServiceProcess } from './service-process.ts';
import { supervise } from './supervise.ts';

const CRASH: ServiceEnd = { code: 1, signal: null, lastLines: [] };

function stage() {
  const clock = fakeClock();
  const signals: NodeJS.Signals[] = [];
  const ends: ((end: ServiceEnd) => void)[] = [];
  const restarts: (number | undefined)[] = [];
  const service = supervise({
    clock,
    onEnd: (_end, restartInMs) => restarts.push(restartInMs),
    start: (): ServiceProcess => ({
      ended: new Promise((resolve) => ends.push(resolve)),
      signal: (signal) => {
        signals.push(signal);
        ends.at(-1)?.({ code: 0, signal: null, lastLines: [] });
      },
    }),
  });
  /** Ends the process that runs now, and lets the wait that follows go by. */
  const crash = async () => {
    ends.at(-1)?.(CRASH);
    await clock.advance(60_000 - 1);
  };
  return { clock, service, signals, restarts, crash, started: () => ends.length };
}

describe('a service', () => {
  test('that ends by itself is started again, each time after twice the wait, and given up after five in a row', async () => {
    const { service, restarts, crash, started } = stage();
    // The wait goes by inside the minute after which a service counts as well, so no failure here is a first one.
    for (let failure = 1; failure <= 5; failure += 1) await crash();
    expect(restarts).toEqual([1_000, 2_000, 4_000, 8_000, undefined]);
    expect(started()).toBe(5);
    expect(await service.finished).toBe('gave_up');
  });

  test('that was well for a minute begins to count anew', async () => {
    const { clock, restarts, crash } = stage();
    await crash();
    await clock.advance(60_000);
    await crash();
    expect(restarts).toEqual([1_000, 1_000]);
  });

  test('that is stopped is asked to end, and not started again', async () => {
    const { clock, service, signals, restarts, started } = stage();
    await service.stop();
    await clock.advance(60_000);
    expect(signals).toEqual(['SIGTERM']);
    expect(await service.finished).toBe('stopped');
    expect([restarts, started()]).toEqual([[], 1]);
  });

  test('that is stopped while it waits to be started again stays down', async () => {
    const { clock, service, crash, started } = stage();
    await crash();
    const startedBefore = started();
    await service.stop();
    await clock.advance(60_000);
    expect(started()).toBe(startedBefore);
  });
});
