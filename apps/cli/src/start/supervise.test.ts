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
  /** Ends the running process, and lets the following delay pass. */
  const crash = async () => {
    ends.at(-1)?.(CRASH);
    await clock.advance(60_000 - 1);
  };
  return { clock, service, signals, restarts, crash, started: () => ends.length };
}

describe('a service', () => {
  test('that ends by itself is restarted, each time after twice the delay, and given up after five in a row', async () => {
    const { service, restarts, crash, started } = stage();
    // The delays stay below the minute after which a service counts as healthy, so the failures are consecutive.
    for (let failure = 1; failure <= 5; failure += 1) await crash();
    expect(restarts).toEqual([1_000, 2_000, 4_000, 8_000, undefined]);
    expect(started()).toBe(5);
    expect(await service.finished).toBe('gave_up');
  });

  test('that was healthy for a minute starts counting from zero', async () => {
    const { clock, restarts, crash } = stage();
    await crash();
    await clock.advance(60_000);
    await crash();
    expect(restarts).toEqual([1_000, 1_000]);
  });

  test('that is stopped is asked to end and is not restarted', async () => {
    const { clock, service, signals, restarts, started } = stage();
    await service.stop();
    await clock.advance(60_000);
    expect(signals).toEqual(['SIGTERM']);
    expect(await service.finished).toBe('stopped');
    expect([restarts, started()]).toEqual([[], 1]);
  });

  test('that is stopped while it waits for its restart stays down', async () => {
    const { clock, service, crash, started } = stage();
    await crash();
    const startedBefore = started();
    await service.stop();
    await clock.advance(60_000);
    expect(started()).toBe(startedBefore);
  });
});
