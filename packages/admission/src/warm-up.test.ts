import { createLogger } from '@outdial/kernel';
import { fakeClock } from '@outdial/testkit';
import { expect, it, vi } from 'vitest';
import { createWarmUp } from './warm-up.ts';

const logger = createLogger({ name: 'test', level: 'silent' });

function cold(walk: () => Promise<void>) {
  const clock = fakeClock();
  return { clock, warmUp: createWarmUp({ clock, logger, walk }) };
}

/** Resolves after the walk that just started, or that a timer started, has run. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

it('is warm once a walk has succeeded, and does not walk again', async () => {
  const walk = vi.fn<() => Promise<void>>(async () => {});
  const { clock, warmUp } = cold(walk);
  expect(warmUp.isWarm()).toBe(false);
  warmUp.begin();
  await settled();
  expect(warmUp.isWarm()).toBe(true);
  await clock.advance(60_000);
  expect(walk).toHaveBeenCalledOnce();
});

it('retries for as long as a store is away', async () => {
  const away = new Error('Postgres is unavailable');
  const walk = vi.fn<() => Promise<void>>().mockRejectedValueOnce(away).mockRejectedValueOnce(away);
  const { clock, warmUp } = cold(walk.mockResolvedValue());
  warmUp.begin();
  await settled();
  expect(warmUp.isWarm()).toBe(false);
  await clock.advance(1_000);
  await settled();
  await clock.advance(1_000);
  await settled();
  expect(warmUp.isWarm()).toBe(true);
  expect(walk).toHaveBeenCalledTimes(3);
});

it('stays warm when a lost connection was not an outage; after an outage is cold until a walk succeeds', async () => {
  const walk = vi.fn<() => Promise<void>>(async () => {});
  const { clock, warmUp } = cold(walk);
  warmUp.begin();
  await settled();
  warmUp.begin();
  expect(warmUp.isWarm()).toBe(true);
  await settled();
  expect([warmUp.isWarm(), walk.mock.calls.length]).toEqual([true, 2]);

  walk.mockRejectedValueOnce(new Error('Redis is unavailable'));
  warmUp.begin();
  await settled();
  expect(warmUp.isWarm()).toBe(false);
  await clock.advance(1_000);
  await settled();
  expect(warmUp.isWarm()).toBe(true);
});

it('walks once more when a connection is lost during a walk', async () => {
  const ends: (() => void)[] = [];
  const walk = vi.fn<() => Promise<void>>(() => new Promise((resolve) => ends.push(resolve)));
  const { warmUp } = cold(walk);
  warmUp.begin();
  for (let lost = 0; lost < 5; lost += 1) warmUp.begin();
  for (const end of ends) end();
  await settled();
  for (const end of ends) end();
  await settled();
  expect(walk).toHaveBeenCalledTimes(2);
});

it('stops after the running walk and starts no other', async () => {
  const walk = vi.fn<() => Promise<void>>().mockRejectedValue(new Error('Postgres is unavailable'));
  const { clock, warmUp } = cold(walk);
  warmUp.begin();
  await settled();
  await warmUp.stop();
  warmUp.begin();
  await clock.advance(60_000);
  expect(walk).toHaveBeenCalledOnce();
});
