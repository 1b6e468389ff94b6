import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AcceptWorld, answer, FAKED_TIMERS } from '../../test/accept-world.ts';

let world: AcceptWorld;

beforeEach(() => {
  vi.useFakeTimers({ toFake: [...FAKED_TIMERS.toFake] });
  world = new AcceptWorld();
});
afterEach(() => {
  vi.useRealTimers();
});

const prepared = (answers: readonly (Error | null)[]) => {
  const byMs: number[] = [];
  const prepare = async (by: number) => {
    byMs.push(by);
    return answers[byMs.length - 1] ?? null;
  };
  return { prepare, byMs };
};

const failing = () => Promise.reject(new Error('Postgres is away'));

describe('what a request prepares', () => {
  it('comes before the call, and not again for a repeated request', async () => {
    const { prepare, byMs } = prepared([]);
    const request = world.request({ idempotencyKey: 'order 7', prepare });
    expect((await answer(world, request)).outcome.kind).toBe('accepted');
    expect((await answer(world, { ...request, deadlineMs: request.deadlineMs + 2_000 })).outcome.kind).toBe('replayed');
    expect(byMs).toHaveLength(1);
    expect(byMs[0]).toBeLessThan(request.deadlineMs);
  });

  it('rejects the request if it cannot be prepared, before anything is reserved', async () => {
    const error = new Error('there is no secret key');
    const { outcome } = await answer(world, world.request(prepared([error])));
    expect(outcome).toEqual({ kind: 'not_prepared', error });
    expect(world.asked).not.toContain('reserve');
  });

  it('is unavailable while its store is', async () => {
    expect((await answer(world, world.request({ prepare: failing }))).outcome.kind).toBe('service_unavailable');
  });
});
