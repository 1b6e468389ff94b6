import { calleePlace } from '@outdial/policies';
import { micros } from '@outdial/contracts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  AcceptWorld,
  account,
  accountId,
  agentId,
  answer,
  BUDGET_MS,
  FAKED_TIMERS,
  HUNG,
  rate,
  REFUSING,
  stranger,
  type Behavior,
  type Question,
} from '../../test/accept-world.ts';
import { RowRejected, WritesUnavailable } from '../ports/accept-store.ts';

let world: AcceptWorld;

beforeEach(() => {
  vi.useFakeTimers({ toFake: [...FAKED_TIMERS.toFake] });
  world = new AcceptWorld();
});
afterEach(() => {
  vi.useRealTimers();
});

const HOUR_MS = 3_600_000;
const FULL = { kind: 'capacity_exceeded', scope: 'account', limit: 2, inUse: 2 } as const;
const MAY_WAIT = { fields: { on_capacity: 'queue' } };

const slow = (ms: number): Behavior => ({ actsAfter: ms, answersAfter: ms, rejects: false });
const fromNow = (ms: number) => new Date(Date.now() + ms).toISOString();
const later = (over: Parameters<AcceptWorld['request']>[0] = {}) =>
  world.request({ ...over, fields: { scheduled_for: fromNow(HOUR_MS), ...over.fields } });
const stored = () => [world.rows.size, world.scheduleRows.size, world.holds.size, world.queued.length];

describe('a call for later', () => {
  it('is stored with all its facts, and holds no money, no slot and no job', async () => {
    const nowMs = Date.now();
    const fields = { variables: { name: 'Ada' }, metadata: { order: 7 }, max_duration_seconds: 60 };
    const { outcome } = await answer(world, later({ fields }));
    expect(outcome).toMatchObject({ kind: 'accepted', call: { status: 'scheduled', waitingFor: 'time' } });
    expect([...world.scheduleRows.values()]).toEqual([
      {
        callId: expect.any(String),
        arbiterId: expect.any(String),
        accountId,
        agentId,
        agentVersion: 7,
        callerNumber: '+12025550101',
        calleeNumber: '+12025550143',
        currency: 'USD',
        rate,
        limits: { maxDurationSeconds: 60, ringTimeoutSeconds: 30 },
        variables: { name: 'Ada' },
        metadata: { order: 7 },
        webhookUrl: null,
        idempotency: null,
        requestId: 'request-1',
        queueTtlSeconds: 600,
        schedule: { scheduledForMs: nowMs + HOUR_MS, giveUpAtMs: nowMs + 25 * HOUR_MS, retry: null },
        waitingFor: 'time',
        dueAtMs: nowMs + HOUR_MS,
        place: calleePlace('+12025550143', null),
        sendByMs: expect.any(Number),
      },
    ]);
    expect(stored()).toEqual([0, 1, 0, 0]);
  });

  it('needs Postgres alone: neither the gate, nor the queue, nor a trunk', async () => {
    for (const question of ['reserve', 'release', 'add'] as const) world.behavior.set(question, HUNG);
    world.availability = { kind: 'none' };
    expect((await answer(world, later())).outcome.kind).toBe('accepted');
    expect(world.asked).not.toContain('reserve');
  });

  it('is rejected for a wrong time before the directory is asked', async () => {
    const { outcome } = await answer(world, world.request({ fields: { scheduled_for: fromNow(-61_000) } }));
    const details = [{ param: 'scheduled_for', message: 'is more than 60 seconds past' }];
    expect(outcome).toEqual({ kind: 'invalid_request', details });
    expect(world.asked).toEqual([]);
  });

  it('is authorized as one that is dialed at once', async () => {
    const refused = [
      { fields: { to_number: '+19005550100' } },
      { account: { ...account, outboundNumbers: [] } },
      { fields: { agent_id: accountId } },
    ];
    const kinds = [];
    for (const over of refused) kinds.push((await answer(world, later(over))).outcome.kind);
    expect(kinds).toEqual(['destination_not_allowed', 'no_outbound_number', 'agent_access_denied']);
    expect(world.scheduleRows.size).toBe(0);
  });

  it('is one too many once the account has 100,000, counted at most once in five seconds', async () => {
    world.scheduledCalls = 100_000;
    const tooMany = { kind: 'too_many_scheduled', limit: 100_000 };
    expect((await answer(world, later())).outcome).toEqual(tooMany);
    expect((await answer(world, later())).outcome).toEqual(tooMany);
    expect(world.asked.filter((question) => question === 'countScheduled')).toHaveLength(1);
    world.scheduledCalls = 99_999;
    expect((await answer(world, later({ account: stranger }))).outcome.kind).toBe('accepted');
    await vi.advanceTimersByTimeAsync(5_000);
    expect((await answer(world, later())).outcome.kind).toBe('accepted');
  });
});

describe('a call that may wait for a slot', () => {
  it('is dialed at once while slots are free', async () => {
    expect((await answer(world, world.request(MAY_WAIT))).outcome).toMatchObject({ call: { status: 'queued' } });
    expect([...world.rows.values()][0]?.schedule).toBeNull();
    expect(stored()).toEqual([1, 0, 1, 1]);
  });

  it.each(['account', 'system'] as const)('is scheduled for now while the slots of the %s are taken', async (scope) => {
    world.reserveAnswer = { ...FULL, scope };
    const nowMs = Date.now();
    const { outcome } = await answer(world, world.request(MAY_WAIT));
    const schedule = { scheduledForMs: nowMs, giveUpAtMs: nowMs + 600_000, retry: null };
    expect(outcome).toMatchObject({ call: { status: 'scheduled', waitingFor: 'capacity', schedule } });
    expect(stored()).toEqual([0, 1, 0, 0]);
  });

  it('is stored under another id than the one that the gate may still reserve', async () => {
    world.reserveAnswer = FULL;
    await answer(world, world.request(MAY_WAIT));
    const [row] = world.scheduleRows.values();
    expect(world.reservationsAsked).toHaveLength(1);
    expect(world.reservationsAsked).not.toContain(row?.arbiterId);
  });

  it('is rejected as before for any other reason, and if it did not ask to wait', async () => {
    world.reserveAnswer = { kind: 'insufficient_funds', availableMicros: micros(1) };
    expect((await answer(world, world.request(MAY_WAIT))).outcome.kind).toBe('insufficient_funds');
    world.reserveAnswer = FULL;
    expect((await answer(world, world.request())).outcome).toEqual(FULL);
    world.availability = { kind: 'out', forMs: 1_000, backInMs: 20_000 };
    world.reserveAnswer = { ...FULL, scope: 'system' };
    expect((await answer(world, world.request(MAY_WAIT))).outcome.kind).toBe('no_trunk_available');
    expect(world.scheduleRows.size).toBe(0);
  });

  it('counts towards the limit of scheduled calls only if it has to wait', async () => {
    world.scheduledCalls = 100_000;
    expect((await answer(world, world.request(MAY_WAIT))).outcome.kind).toBe('accepted');
    world.reserveAnswer = FULL;
    expect((await answer(world, world.request(MAY_WAIT))).outcome.kind).toBe('too_many_scheduled');
  });
});

describe('a call that is retried', () => {
  it('is dialed at once, and stored with its retries', async () => {
    const nowMs = Date.now();
    const { outcome } = await answer(world, world.request({ fields: { retry: { max_attempts: 3, on: ['busy'] } } }));
    expect(outcome).toMatchObject({ kind: 'accepted', call: { status: 'queued', schedule: { attempt: 1 } } });
    expect([...world.rows.values()][0]?.schedule).toEqual({
      scheduledForMs: null,
      giveUpAtMs: nowMs + 7 * 24 * HOUR_MS,
      retry: { maxAttempts: 3, on: ['busy'], afterSeconds: [900, 3_600, 14_400] },
    });
  });

  it('waits in the queue no longer than it may be dialed', async () => {
    const fields = { retry: { max_attempts: 2 }, expires_at: fromNow(30_000) };
    await answer(world, world.request({ fields }));
    expect([...world.rows.values()][0]?.queueTtlSeconds).toBe(30);
  });
});

describe('a repeated request for a scheduled call', () => {
  it('returns the same call, also once its time has passed', async () => {
    const request = later({ idempotencyKey: 'order-7' });
    const first = await answer(world, request);
    await vi.advanceTimersByTimeAsync(2 * HOUR_MS);
    const again = await answer(world, { ...request, deadlineMs: request.deadlineMs + 2 * HOUR_MS + BUDGET_MS });
    expect(first.outcome.kind).toBe('accepted');
    expect(again.outcome).toMatchObject({ kind: 'replayed', call: { id: [...world.scheduleRows.keys()][0] } });
    const other = world.request({ idempotencyKey: 'order-7' });
    expect((await answer(world, other)).outcome.kind).toBe('idempotency_key_reused');
  });

  it('makes one call of concurrent requests', async () => {
    const request = later({ idempotencyKey: 'order-7' });
    const racing = await Promise.all([answer(world, request), answer(world, request), answer(world, request)]);
    expect(racing.map(({ outcome }) => outcome.kind).toSorted()).toEqual(['accepted', 'replayed', 'replayed']);
    expect(world.scheduleRows.size).toBe(1);
  });
});

describe('a store that fails while a call is scheduled', () => {
  it.each<[string, Question]>([
    ['the count', 'countScheduled'],
    ['the directory', 'findAgent'],
  ])('%s hangs or rejects: 503, and nothing is stored', async (_name, question) => {
    for (const behavior of [HUNG, REFUSING]) {
      world.behavior.set(question, behavior);
      const { outcome, tookMs } = await answer(world, later());
      expect(outcome.kind).toBe('service_unavailable');
      expect(tookMs).toBeLessThanOrEqual(BUDGET_MS);
    }
    expect(world.scheduleRows.size).toBe(0);
  });

  it('a late COMMIT has no effect: voided, 503', async () => {
    world.behavior.set('schedule', slow(5_000));
    const { outcome, tookMs } = await answer(world, later());
    expect(outcome.kind).toBe('service_unavailable');
    expect(tookMs).toBeLessThanOrEqual(BUDGET_MS);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(world.scheduleRows.size).toBe(0);
  });

  it('a COMMIT whose answer was lost: the call is read and returned', async () => {
    world.behavior.set('schedule', { actsAfter: 0, answersAfter: 10, rejects: true });
    const { outcome } = await answer(world, later());
    expect(outcome).toMatchObject({ kind: 'accepted', call: { status: 'scheduled' } });
    expect(stored()).toEqual([0, 1, 0, 0]);
  });

  it('a COMMIT with an unknown outcome: the call’s id is returned', async () => {
    world.behavior.set('schedule', HUNG);
    world.behavior.set('voidReservation', HUNG);
    const { outcome, tookMs } = await answer(world, later());
    expect(outcome).toMatchObject({ kind: 'outcome_unknown', callId: expect.any(String) });
    expect(tookMs).toBeLessThanOrEqual(BUDGET_MS);
  });

  it('a call that is stored and cannot be read: its id is returned', async () => {
    world.behavior.set('schedule', { actsAfter: 0, answersAfter: 10, rejects: true });
    world.behavior.set('find', REFUSING);
    expect((await answer(world, later())).outcome.kind).toBe('outcome_unknown');
  });

  it.each(['voided', 'expired'] as const)('a %s row: 503', async (kind) => {
    world.scheduleAnswer = { kind };
    expect((await answer(world, later())).outcome.kind).toBe('service_unavailable');
  });

  it('a Postgres that takes no writes: 503, and nothing is voided', async () => {
    world.scheduleError = new WritesUnavailable(new Error('25006'));
    expect((await answer(world, later())).outcome.kind).toBe('service_unavailable');
    expect(world.asked).not.toContain('voidReservation');
  });

  it('a row that Postgres rejects fails its own request', async () => {
    world.scheduleError = new RowRejected(new Error('22021'));
    await expect(answer(world, later())).rejects.toThrow(RowRejected);
  });
});
