import { randomUUID } from 'node:crypto';
import { EVALUATION_LIMITS, micros, tryIdSchema } from '@outdial/contracts';
import { fakeClock } from '@outdial/testkit';
import { expect, test } from 'vitest';
import { RunGuard } from './run-guard.ts';

const LIMIT_MS = EVALUATION_LIMITS.seconds * 1_000;

function newGuard() {
  const clock = fakeClock();
  const guard = new RunGuard(
    { evaluations: { renewRun: async () => 'written' }, pace: { leaseMs: 10_000, renewEveryMs: 2_000 }, clock },
    { tryId: tryIdSchema.parse(randomUUID()), lease: randomUUID(), remainingMs: LIMIT_MS },
    { used: () => ({ usage: [], costMicros: micros(0) }) },
    new AbortController().signal,
  );
  return { clock, guard };
}

test('a run ends when its time is over, whatever its providers do', async () => {
  const { clock, guard } = newGuard();
  await clock.advance(LIMIT_MS - 1);
  expect([guard.signal.aborted, guard.problem]).toEqual([false, null]);
  await clock.advance(1);
  expect([guard.signal.aborted, guard.problem]).toEqual([true, 'provider_unavailable']);
});

test('a run that is over leaves no timer', async () => {
  const { clock, guard } = newGuard();
  await clock.advance(5_000);
  guard.close();
  expect(clock.pendingTimers()).toBe(0);
  expect(guard.problem).toBeNull();
});
