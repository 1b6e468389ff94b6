import { createLogger, systemClock } from '@outdial/kernel';
import { afterEach, expect, test, vi } from 'vitest';
import { startAdmissionLoops } from './admission-loops.ts';

afterEach(() => void vi.useRealTimers());

const logger = createLogger({ name: 'test', level: 'silent' });

test('due calls are looked for four times a second, expired ones each second, campaigns that move on within one, missed accounts each minute, and those are counted', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const round = vi.fn<() => Promise<void>>(async () => undefined);
  // A round may last for as long as accounts are due: expired calls do not wait for it.
  const expire = vi.fn<() => Promise<void>>(async () => undefined);
  const mendTurns = vi.fn<() => Promise<number>>().mockResolvedValueOnce(0).mockResolvedValue(3);
  const sweep = vi.fn<() => Promise<void>>(async () => undefined);
  const measure = vi.fn<() => Promise<void>>(async () => undefined);
  const tidy = vi.fn<() => Promise<void>>(async () => undefined);
  const missed: number[] = [];
  const onMissed = (count: number) => void missed.push(count);
  const loops = startAdmissionLoops({
    admitDue: { round, expire, onMoreDue: () => undefined },
    store: { mendTurns },
    campaigns: { sweep, measure, tidy },
    onCampaignsChanged: () => undefined,
    onMissed,
    clock: systemClock,
    logger,
  });
  await vi.advanceTimersByTimeAsync(80_000);
  // The pauses vary by a fifth either way.
  expect(round.mock.calls.length).toBeGreaterThanOrEqual(80 / 0.3);
  expect(round.mock.calls.length).toBeLessThanOrEqual(80 / 0.2 + 1);
  expect(expire.mock.calls.length).toBeGreaterThanOrEqual(80 / 1.2);
  expect(sweep.mock.calls.length).toBeGreaterThanOrEqual(80 / 0.9);
  expect(measure.mock.calls.length).toBeGreaterThanOrEqual(80 / 6);
  expect(tidy.mock.calls.length).toBeGreaterThanOrEqual(80 / 12);
  expect([mendTurns.mock.calls.length, missed]).toEqual([2, [3]]);
  await Promise.all(loops.map((loop) => loop.stop()));
});

test('a turn that leaves calls to admit is followed by a round at once, and a changed campaign by a sweep too', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const round = vi.fn<() => Promise<void>>(async () => undefined);
  const onMoreDue = vi.fn<(listener: () => void) => void>();
  const onCampaignsChanged = vi.fn<(listener: () => void) => void>();
  const sweep = vi.fn<() => Promise<void>>(async () => undefined);
  const loops = startAdmissionLoops({
    admitDue: { round, expire: async () => undefined, onMoreDue },
    store: { mendTurns: async () => 0 },
    campaigns: { sweep, measure: async () => undefined, tidy: async () => undefined },
    onCampaignsChanged,
    onMissed: () => undefined,
    clock: systemClock,
    logger,
  });
  await vi.advanceTimersByTimeAsync(10);
  expect(round).toHaveBeenCalledTimes(1);
  for (const [hear] of onMoreDue.mock.calls) hear();
  await vi.advanceTimersByTimeAsync(10);
  expect([round.mock.calls.length, sweep.mock.calls.length]).toEqual([2, 1]);
  for (const [hear] of onCampaignsChanged.mock.calls) hear();
  await vi.advanceTimersByTimeAsync(10);
  expect([round.mock.calls.length, sweep.mock.calls.length]).toEqual([3, 2]);
  await Promise.all(loops.map((loop) => loop.stop()));
});
