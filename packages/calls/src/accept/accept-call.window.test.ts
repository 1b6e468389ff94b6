import type { PoliciesInForce } from '@outdial/policies';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { account, AcceptWorld, answer, FAKED_TIMERS, HUNG, number, REFUSING } from '../../test/accept-world.ts';
import { openDaily, own } from '../../test/policies.ts';

/** 23:00 in New York, where +1 202 is. */
const NOW = Date.parse('2026-12-02T04:00:00Z');
const OPENS_AT = Date.parse('2026-12-02T13:00:00Z');
const DAY = 86_400_000;
const HOUR = 3_600_000;
const policies = own(openDaily('08:00-21:00'));
const CLOSED = { kind: 'outside_calling_window', opensAtMs: OPENS_AT, zones: ['America/New_York'] };

let world: AcceptWorld;

beforeEach(() => {
  vi.useFakeTimers({ toFake: [...FAKED_TIMERS.toFake], now: NOW });
  world = new AcceptWorld();
});
afterEach(() => {
  vi.useRealTimers();
});

const iso = (atMs: number) => new Date(atMs).toISOString();
const ask = async (fields: Readonly<Record<string, unknown>> = {}, rules: PoliciesInForce = policies) =>
  (await answer(world, world.request({ account: { ...account, policies: rules }, fields }))).outcome;
const stored = () => [world.rows.size, world.scheduleRows.size, world.holds.size, world.queued.length];
const onlySchedule = () => [...world.scheduleRows.values()][0];

describe('a call that is to be dialed at once, while the hours of the callee are closed,', () => {
  test('is refused with when they open and where the callee may be, and the gate is not asked', async () => {
    expect(await ask()).toEqual(CLOSED);
    expect(stored()).toEqual([0, 0, 0, 0]);
    expect(world.asked).not.toContain('reserve');
  });

  test('is refused by the operator’s floor alone', async () => {
    expect(await ask({}, { policy: null, floor: openDaily('08:00-21:00') })).toEqual(CLOSED);
    expect(await ask({}, { policy: openDaily('08:00-24:00'), floor: openDaily('08:00-21:00') })).toEqual(CLOSED);
  });

  test('names each zone in which the callee may be, also the one that the request gave', async () => {
    // 20:00 in Los Angeles.
    const outcome = await ask({ callee_time_zone: 'America/Los_Angeles' });
    expect(outcome).toMatchObject({
      kind: 'outside_calling_window',
      opensAtMs: OPENS_AT + 3 * HOUR,
      zones: ['America/New_York', 'America/Los_Angeles'],
    });
  });

  test('is judged by the given zone alone where the policy trusts it, and names no other', async () => {
    const trusting = own({ ...openDaily('08:00-21:00'), trust_given_zone: true });
    expect(await ask({ callee_time_zone: 'Europe/Berlin' }, trusting)).toMatchObject({
      kind: 'outside_calling_window',
      zones: ['Europe/Berlin'],
    });
    expect((await ask({ callee_time_zone: 'America/Los_Angeles' }, trusting)).kind).toBe('accepted');
    expect([...world.rows.values()][0]?.place).toMatchObject({
      zones: ['America/New_York'],
      givenZone: 'America/Los_Angeles',
    });
  });

  test('that may wait is scheduled for the opening, and given up a day after it', async () => {
    const outcome = await ask({ on_closed: 'wait' });
    expect(outcome).toMatchObject({ kind: 'accepted', call: { status: 'scheduled', waitingFor: 'window' } });
    const schedule = { scheduledForMs: NOW, giveUpAtMs: OPENS_AT + DAY, retry: null };
    expect(onlySchedule()).toMatchObject({ schedule, dueAtMs: OPENS_AT, waitingFor: 'window' });
    expect(stored()).toEqual([0, 1, 0, 0]);
    expect(world.asked).not.toContain('reserve');
  });

  test('that may wait is given up when the request says', async () => {
    await ask({ on_closed: 'wait', expires_at: iso(OPENS_AT + 60_000) });
    expect(onlySchedule()?.schedule.giveUpAtMs).toBe(OPENS_AT + 60_000);
  });

  test('that is retried has its week for that, or a day after the opening', async () => {
    await ask({ on_closed: 'wait', retry: { max_attempts: 2 } });
    expect(onlySchedule()?.schedule).toMatchObject({ giveUpAtMs: NOW + 7 * DAY, retry: { maxAttempts: 2 } });
    world = new AcceptWorld();
    const closedDays = Array.from({ length: 10 }, (_, day) => iso(NOW - HOUR * 5 + day * DAY).slice(0, 10));
    await ask(
      { on_closed: 'wait', retry: { max_attempts: 2 } },
      own({ ...openDaily('08:00-21:00'), closed_days: closedDays }),
    );
    expect(onlySchedule()?.schedule.giveUpAtMs).toBe(OPENS_AT + 10 * DAY);
  });

  test('is refused if it would be given up before they open', async () => {
    for (const expiresAtMs of [OPENS_AT, OPENS_AT - HOUR])
      expect(await ask({ on_closed: 'wait', expires_at: iso(expiresAtMs) })).toEqual(CLOSED);
    expect(stored()).toEqual([0, 0, 0, 0]);
  });

  test('is refused where they never open, whatever it asks', async () => {
    const never = own(openDaily());
    const outcome = { ...CLOSED, opensAtMs: null };
    expect(await ask({ on_closed: 'wait' }, never)).toEqual(outcome);
    expect(await ask({ scheduled_for: iso(NOW + HOUR) }, never)).toEqual(outcome);
  });

  test('counts towards the limit of scheduled calls if it waits', async () => {
    world.scheduledCalls = 100_000;
    expect((await ask({ on_closed: 'wait' })).kind).toBe('too_many_scheduled');
  });
});

describe('a call for later, at a time when the hours are closed,', () => {
  const scheduledFor = Date.parse('2026-12-03T02:30:00Z');
  const opens = Date.parse('2026-12-03T13:00:00Z');

  test('waits for the opening, without being asked to', async () => {
    const outcome = await ask({ scheduled_for: iso(scheduledFor) });
    expect(outcome).toMatchObject({ kind: 'accepted', call: { status: 'scheduled', waitingFor: 'window' } });
    const schedule = { scheduledForMs: scheduledFor, giveUpAtMs: opens + DAY, retry: null };
    expect(onlySchedule()).toMatchObject({ schedule, dueAtMs: opens });
  });

  test('is refused if the request says so', async () => {
    const outcome = await ask({ scheduled_for: iso(scheduledFor), on_closed: 'reject' });
    expect(outcome).toEqual({ ...CLOSED, opensAtMs: opens });
    expect(stored()).toEqual([0, 0, 0, 0]);
  });

  test('is judged at its time, and not now', async () => {
    expect(await ask({ scheduled_for: iso(OPENS_AT + HOUR) })).toMatchObject({
      kind: 'accepted',
      call: { status: 'scheduled', waitingFor: 'time' },
    });
    expect(onlySchedule()?.dueAtMs).toBe(OPENS_AT + HOUR);
  });
});

test('a request that is repeated after the hours have closed returns its call', async () => {
  vi.setSystemTime(NOW - 3 * HOUR);
  const request = world.request({ account: { ...account, policies }, idempotencyKey: 'order-7' });
  expect((await answer(world, request)).outcome.kind).toBe('accepted');
  vi.setSystemTime(NOW);
  const again = world.request({ account: { ...account, policies }, idempotencyKey: 'order-7' });
  expect((await answer(world, again)).outcome.kind).toBe('replayed');
});

describe('a call to a number that has reached a cap', () => {
  const callee = number('+12025550143');
  const open = own(openDaily('00:00-24:00'));

  test('is refused with when it may be called again, and holds neither money nor a slot', async () => {
    world.store.capped.set(callee, NOW + HOUR);
    expect(await ask({}, open)).toEqual({ kind: 'frequency_capped', untilMs: NOW + HOUR });
    expect(stored()).toEqual([0, 0, 0, 0]);
    expect(world.asked).toContain('release');
  });

  test.each([
    ['hangs', HUNG],
    ['rejects', REFUSING],
  ])('is refused all the same if the store that knows until when %s', async (_name, behavior) => {
    world.store.capped.set(callee, NOW + HOUR);
    world.behavior.set('cappedUntilMs', behavior);
    expect(await ask({}, open)).toEqual({ kind: 'frequency_capped', untilMs: null });
    expect(stored()).toEqual([0, 0, 0, 0]);
  });

  test('is scheduled for later: the cap is asked when it is due', async () => {
    world.store.capped.set(callee, NOW + 2 * HOUR);
    expect((await ask({ scheduled_for: iso(NOW + HOUR) }, open)).kind).toBe('accepted');
  });

  test('returns its call if the request is repeated', async () => {
    const { outcome } = await answer(world, world.request({ idempotencyKey: 'order-7' }));
    expect(outcome.kind).toBe('accepted');
    world.store.capped.set(callee, NOW + HOUR);
    const { outcome: again } = await answer(world, world.request({ idempotencyKey: 'order-7' }));
    expect(again.kind).toBe('replayed');
  });
});

test('no store is asked about the hours: a process judges them by itself', async () => {
  await ask();
  expect(world.asked).toEqual(['findAgent']);
});
