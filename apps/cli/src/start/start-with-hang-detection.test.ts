import { fakeClock } from '@outdial/testkit';
import { describe, expect, test } from 'vitest';
import type { ServiceEnd } from './service-process.ts';
import { startWithHangDetection } from './start-with-hang-detection.ts';

const LIMIT_MS = 20_000;

/** Processes that end only by SIGKILL, unless a test ends them. */
function stage() {
  const clock = fakeClock();
  const signals: string[] = [];
  const ends: ((end: ServiceEnd) => void)[] = [];
  const heard = { hasWritten: false, isListening: false };
  let silences = 0;
  const service = startWithHangDetection({
    clock,
    silenceLimitMs: LIMIT_MS,
    isListening: async () => heard.isListening,
    onSilent: () => (silences += 1),
    start: () => {
      const number = ends.length + 1;
      return {
        ended: new Promise((resolve) => ends.push(resolve)),
        hasWritten: () => heard.hasWritten,
        signal: (signal) => {
          signals.push(`${signal} to ${number}`);
          if (signal === 'SIGKILL') ends[number - 1]?.({ code: null, signal, lastLines: [] });
        },
      };
    },
  });
  const crash = () => ends.at(-1)?.({ code: 1, signal: null, lastLines: ['why'] });
  return { clock, service, signals, heard, crash, started: () => ends.length, silences: () => silences };
}

describe('a silent service', () => {
  test('is killed at its limit and restarted, twice; the third process is left running', async () => {
    const { clock, signals, started, silences } = stage();
    await clock.advance(LIMIT_MS - 1);
    expect([signals, started()]).toEqual([[], 1]);
    await clock.advance(1);
    expect([signals, started(), silences()]).toEqual([['SIGKILL to 1'], 2, 1]);
    await clock.advance(LIMIT_MS - 1);
    expect(started()).toBe(2);
    await clock.advance(60 * LIMIT_MS);
    expect([signals, started(), silences()]).toEqual([['SIGKILL to 1', 'SIGKILL to 2'], 3, 2]);
  });

  test.each([1, 3])('that is asked to end as process %i is killed soon after and not restarted', async (last) => {
    const { clock, service, signals, started } = stage();
    await clock.advance((last - 1) * LIMIT_MS + 1_000);
    expect(started()).toBe(last);
    service.signal('SIGTERM');
    await clock.advance(5_000);
    expect(signals.slice(last - 1)).toEqual([`SIGTERM to ${last}`, `SIGKILL to ${last}`]);
    expect(await service.ended).toMatchObject({ signal: 'SIGKILL' });
    await clock.advance(10 * LIMIT_MS);
    expect(started()).toBe(last);
  });

  test('that ends by itself is reported and not restarted', async () => {
    const { clock, service, crash, signals, started } = stage();
    await clock.advance(1_000);
    crash();
    expect(await service.ended).toMatchObject({ code: 1, lastLines: ['why'] });
    await clock.advance(10 * LIMIT_MS);
    expect([signals, started(), clock.pendingTimers()]).toEqual([[], 1, 0]);
  });
});

describe.each(['hasWritten', 'isListening'] as const)('a service with output (%s)', (how) => {
  test('is never killed, ready or not, and gets its full time to end', async () => {
    const { clock, service, signals, heard, started, crash } = stage();
    await clock.advance(LIMIT_MS - 100);
    heard[how] = true;
    await clock.advance(LIMIT_MS);
    // It stops listening while it ends.
    heard[how] = false;
    service.signal('SIGTERM');
    await clock.advance(10 * LIMIT_MS);
    expect([signals, started()]).toEqual([['SIGTERM to 1'], 1]);
    crash();
    expect(await service.ended).toMatchObject({ code: 1 });
  });
});
