import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  AcceptWorld,
  answer,
  BUDGET_MS,
  HUNG,
  REFUSING,
  FAKED_TIMERS,
  type Behavior,
  type Question,
} from '../../test/accept-world.ts';
import { WritesUnavailable, RowRejected } from '../ports/accept-store.ts';

const slow = (actsAfter: number, answersAfter: number | null): Behavior => ({
  actsAfter,
  answersAfter,
  rejects: false,
});

let world: AcceptWorld;

beforeEach(() => {
  vi.useFakeTimers({ toFake: [...FAKED_TIMERS.toFake] });
  world = new AcceptWorld();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a failing store', () => {
  it.each<[string, Question]>([
    ['the directory', 'findAgent'],
    ['the idempotency look-up', 'findIdempotent'],
  ])('%s hangs or rejects: 503 before anything is reserved', async (_name, question) => {
    for (const behavior of [HUNG, REFUSING]) {
      world.behavior.set(question, behavior);
      const { outcome, tookMs } = await answer(world, world.request({ idempotencyKey: 'k' }));
      expect(outcome.kind).toBe('service_unavailable');
      expect(tookMs).toBeLessThanOrEqual(BUDGET_MS);
    }
    expect(world.asked).not.toContain('reserve');
  });

  it('is not blamed for a defect of the code', async () => {
    const request = world.request();
    const account = Object.defineProperty({ ...request.account }, 'outboundNumbers', { value: undefined });
    await expect(answer(world, { ...request, account })).rejects.toThrow(TypeError);
    expect(world.asked).not.toContain('reserve');
  });

  it.each<[string, Behavior]>([
    ['hangs', HUNG],
    ['rejects', REFUSING],
    ['acts after the deadline', slow(2_000, 2_000)],
    ['acts and its answer is lost', slow(0, null)],
  ])('the gate %s: 503, and its possible reservation is released afterwards', async (_name, behavior) => {
    world.behavior.set('reserve', behavior);
    // One connection: later commands run later.
    world.behavior.set('release', slow(behavior.actsAfter ?? 0, behavior.actsAfter ?? 0));
    const { outcome, tookMs } = await answer(world, world.request());
    expect(outcome.kind).toBe('service_unavailable');
    expect(tookMs).toBeLessThanOrEqual(BUDGET_MS);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(world.asked).toContain('release');
    expect([world.holds.size, world.rows.size]).toEqual([0, 0]);
  });

  it('a closed gate: 503 and a rebuild', async () => {
    world.reserveAnswer = { kind: 'closed' };
    expect((await answer(world, world.request())).outcome.kind).toBe('service_unavailable');
    expect(world.rebuildsRequested).toBe(1);
  });

  it('a gate that never learns the account is asked a limited number of times', async () => {
    world.reserveAnswer = { kind: 'account_unknown', token: world.token };
    expect((await answer(world, world.request())).outcome.kind).toBe('service_unavailable');
    expect(world.asked.filter((question) => question === 'reserve').length).toBeLessThanOrEqual(3);
  });

  it('a gate that Postgres finds stale is closed and rebuilt, and nothing is reserved', async () => {
    world.store.token = { ...world.token, generation: world.token.generation + 1 };
    expect((await answer(world, world.request())).outcome.kind).toBe('service_unavailable');
    expect([world.closed, world.rebuildsRequested, world.holds.size]).toEqual([1, 1, 0]);
  });

  it.each(['voided', 'expired'] as const)('a %s row: 503, and its reservation is released', async (kind) => {
    world.acceptAnswer = { kind };
    expect((await answer(world, world.request())).outcome.kind).toBe('service_unavailable');
    expect(world.holds.size).toBe(0);
  });

  it('a row that Postgres rejects fails its own request and releases its reservation', async () => {
    world.acceptError = new RowRejected(new Error('22021'));
    await expect(answer(world, world.request())).rejects.toThrow(RowRejected);
    expect(world.holds.size).toBe(0);
  });

  it('a Postgres that takes no writes: 503, nothing is reserved, and the key can be reused at once', async () => {
    world.acceptError = new WritesUnavailable(new Error('25006'));
    const { outcome } = await answer(world, world.request({ idempotencyKey: 'k' }));
    expect(outcome.kind).toBe('service_unavailable');
    expect(world.asked).not.toContain('voidReservation');
    expect(world.holds.size).toBe(0);
  });

  it('a late COMMIT has no effect: voided, released, 503', async () => {
    world.behavior.set('accept', slow(5_000, 5_000));
    const { outcome, tookMs } = await answer(world, world.request());
    expect(outcome.kind).toBe('service_unavailable');
    expect(tookMs).toBeLessThanOrEqual(BUDGET_MS);
    await vi.advanceTimersByTimeAsync(10_000);
    expect([world.rows.size, world.holds.size, world.queued.length]).toEqual([0, 0, 0]);
  });

  it('a COMMIT whose answer was lost: the call is read and returned', async () => {
    world.behavior.set('accept', { actsAfter: 0, answersAfter: 10, rejects: true });
    const { outcome } = await answer(world, world.request());
    expect(outcome).toMatchObject({ kind: 'accepted', call: { id: [...world.rows.keys()][0] } });
    expect([world.holds.size, world.queued.length]).toEqual([1, 1]);
  });

  it('a COMMIT with an unknown outcome: the call’s id is returned', async () => {
    world.behavior.set('accept', HUNG);
    world.behavior.set('voidReservation', HUNG);
    const { outcome, tookMs } = await answer(world, world.request());
    expect(outcome).toMatchObject({ kind: 'outcome_unknown', callId: [...world.holds.keys()][0] });
    expect(tookMs).toBeLessThanOrEqual(BUDGET_MS);
  });

  it('answers in time and truthfully, whatever fails and however late it acts', async () => {
    const time = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3_000 }), fc.constant(null));
    const behavior = fc.record({ actsAfter: time, answersAfter: time, rejects: fc.boolean() });
    const questions = [
      'findIdempotent',
      'findAgent',
      'reserve',
      'limitsOf',
      'accept',
      'voidReservation',
      'find',
    ] as const;
    const faults = fc.record(Object.fromEntries(questions.map((question) => [question, fc.option(behavior)])));
    await fc.assert(
      fc.asyncProperty(faults, fc.boolean(), fc.boolean(), async (chosen, keyed, known) => {
        const faulty = new AcceptWorld();
        if (!known) faulty.forgetAccount();
        for (const question of questions) {
          const fault = chosen[question];
          if (fault) faulty.behavior.set(question, fault);
        }
        // Over one connection, a release runs after the reserve that it undoes.
        const reserveActs = faulty.behavior.get('reserve')?.actsAfter ?? 0;
        faulty.behavior.set('release', slow(reserveActs, reserveActs));
        const { outcome, tookMs } = await answer(faulty, faulty.request({ idempotencyKey: keyed ? 'k' : null }));
        await vi.advanceTimersByTimeAsync(10_000);
        expect(tookMs).toBeLessThanOrEqual(BUDGET_MS);
        if (outcome.kind === 'accepted') expect([faulty.rows.size, faulty.holds.size]).toEqual([1, 1]);
        else if (outcome.kind === 'service_unavailable') expect([faulty.rows.size, faulty.holds.size]).toEqual([0, 0]);
        else expect(outcome.kind).toBe('outcome_unknown');
      }),
      { numRuns: 500 },
    );
  });
});
