import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { accountId, AcceptWorld, answer, FAKED_TIMERS, number, stranger } from '../../test/accept-world.ts';

let world: AcceptWorld;

beforeEach(() => {
  vi.useFakeTimers({ toFake: [...FAKED_TIMERS.toFake] });
  world = new AcceptWorld();
});
afterEach(() => {
  vi.useRealTimers();
});

const calleeNumber = number('+12025550143');
const stored = () => [world.rows.size, world.scheduleRows.size, world.holds.size, world.queued.length];
const inAnHour = () => ({ scheduled_for: new Date(Date.now() + 3_600_000).toISOString() });

test('a call to a number on a do-not-call list is refused, and holds neither money nor a slot', async () => {
  world.store.suppress({ accountId, calleeNumber });
  const { outcome } = await answer(world, world.request());
  expect(outcome).toEqual({ kind: 'suppressed' });
  expect(stored()).toEqual([0, 0, 0, 0]);
  expect(world.asked).toContain('release');
});

test('a call for later to a number on a do-not-call list is refused, and asks the gate nothing', async () => {
  world.store.suppress({ accountId, calleeNumber });
  const { outcome } = await answer(world, world.request({ fields: inAnHour() }));
  expect(outcome).toEqual({ kind: 'suppressed' });
  expect(stored()).toEqual([0, 0, 0, 0]);
  expect(world.asked).not.toContain('reserve');
});

test('a list of another account refuses nothing', async () => {
  world.store.suppress({ accountId: stranger.id, calleeNumber });
  const { outcome } = await answer(world, world.request());
  expect(outcome.kind).toBe('accepted');
});

test('a request that is repeated after the callee opted out returns its call', async () => {
  const request = world.request({ idempotencyKey: 'order-7' });
  const { outcome } = await answer(world, request);
  expect(outcome.kind).toBe('accepted');
  world.store.suppress({ accountId, calleeNumber });
  const { outcome: repeated } = await answer(world, world.request({ idempotencyKey: 'order-7' }));
  expect(repeated).toMatchObject({ kind: 'replayed', call: { calleeNumber } });
  expect((await answer(world, world.request({ idempotencyKey: 'order-8' }))).outcome.kind).toBe('suppressed');
});
