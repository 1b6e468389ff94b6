import { createLogger } from '@outdial/kernel';
import { fakeClock } from '@outdial/testkit';
import { expect, test } from 'vitest';
import { startDialCounts } from './dial-counts-loop.ts';

test('old counts of dials are looked at step by step, and a step that fails is followed by the next', async () => {
  const clock = fakeClock();
  const lines: unknown[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const logger = createLogger({ name: 'test', level: 'debug', destination });
  const deleted = [0, 7, 0];
  let steps = 0;
  const step = async () => {
    steps += 1;
    if (steps === 1) throw new Error('Postgres is away');
    return deleted.shift() ?? 0;
  };
  const loop = startDialCounts({ step, clock, logger });
  await clock.advance(0);
  expect(steps).toBe(1);
  await clock.advance(60_000);
  expect(steps).toBeGreaterThanOrEqual(5);
  expect(steps).toBeLessThanOrEqual(9);
  expect(lines).toMatchObject([{ event: 'loop.round_failed' }, { event: 'dial_counts.swept', count: 7 }]);
  await loop.stop();
});
