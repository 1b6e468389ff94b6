import { createCallSchema, micros } from '@outdial/contracts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  account,
  AcceptWorld,
  accountId,
  agentId,
  answer,
  number,
  rate,
  REFUSING,
  stranger,
  FAKED_TIMERS,
} from '../../test/accept-world.ts';
import type { AcceptCallRequest } from './accept-call.ts';

let world: AcceptWorld;

beforeEach(() => {
  vi.useFakeTimers({ toFake: [...FAKED_TIMERS.toFake] });
  world = new AcceptWorld();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a valid call', () => {
  it('is reserved, stored with all its facts, and queued', async () => {
    const fields = { variables: { name: 'Ada' }, metadata: { order: 7 }, max_duration_seconds: 60 };
    const { outcome } = await answer(world, world.request({ fields }));
    expect(outcome).toMatchObject({ kind: 'accepted', call: { status: 'queued', calleeNumber: '+12025550143' } });
    const [row] = world.rows.values();
    expect(row).toMatchObject({
      accountId,
      agentId,
      agentVersion: 7,
      callerNumber: '+12025550101',
      calleeNumber: '+12025550143',
      currency: 'USD',
      rate,
      holdMicros: micros(12_000),
      token: world.token,
      limits: { maxDurationSeconds: 60, ringTimeoutSeconds: 30 },
      variables: { name: 'Ada' },
      metadata: { order: 7 },
      idempotency: null,
      requestId: 'request-1',
      queueTtlSeconds: 600,
    });
    expect([...world.holds.entries()]).toEqual([[row?.callId, row?.reservationId]]);
    expect(world.queued).toEqual([row?.callId]);
  });

  it('is accepted although the queue is away', async () => {
    world.behavior.set('add', REFUSING);
    expect((await answer(world, world.request())).outcome.kind).toBe('accepted');
  });

  it('gets the account’s bounds where they are below the defaults', async () => {
    const bounded = { ...account, maxDurationSeconds: 90, ringTimeoutSeconds: 10 };
    await answer(world, world.request({ account: bounded }));
    expect([...world.rows.values()][0]?.limits).toEqual({ maxDurationSeconds: 90, ringTimeoutSeconds: 10 });
  });

  it('loads an account that the gate does not know once, however many requests come', async () => {
    world.forgetAccount();
    world.behavior.set('limitsOf', { actsAfter: 5, answersAfter: 5, rejects: false });
    const answers = await Promise.all(Array.from({ length: 20 }, () => answer(world, world.request())));
    expect(answers.map(({ outcome }) => outcome.kind)).toEqual(Array.from({ length: 20 }, () => 'accepted'));
    expect(world.asked.filter((question) => question === 'limitsOf')).toHaveLength(1);
  });
});

describe('the checks', () => {
  const cases: readonly [string, () => Partial<AcceptCallRequest> & { fields?: Record<string, unknown> }, object][] = [
    [
      'the account’s bounds come first',
      () => ({ fields: { max_duration_seconds: 7_200, agent_id: accountId } }),
      {
        kind: 'invalid_request',
        details: [{ param: 'max_duration_seconds', message: expect.stringContaining('3600') }],
      },
    ],
    [
      'then the agent',
      () => ({ fields: { agent_id: accountId, from_number: '+13335550100' } }),
      { kind: 'agent_access_denied' },
    ],
    [
      'an agent with invalid stored settings',
      () => {
        world.requiredVariables = null;
        return { fields: { from_number: '+13335550100' } };
      },
      {
        kind: 'invalid_request',
        details: [{ param: 'agent_id', message: expect.stringContaining('save them again') }],
      },
    ],
    [
      'then the variables that the agent requires',
      () => {
        world.requiredVariables = ['name', 'toString'];
        return { fields: { from_number: '+13335550100', variables: { other: 'x' } } };
      },
      { kind: 'invalid_request', details: [{ param: 'variables.name' }, { param: 'variables.toString' }] },
    ],
    [
      'then the number',
      () => ({ fields: { from_number: '+13335550100', to_number: '+19005550100' } }),
      { kind: 'from_number_not_allowed' },
    ],
    [
      'the system’s number for an account that may not use it',
      () => {
        world.systemNumber = number('+18005550100');
        return { fields: { from_number: '+18005550100' } };
      },
      { kind: 'from_number_not_allowed' },
    ],
    ['no number at all', () => ({ account: { ...account, outboundNumbers: [] } }), { kind: 'no_outbound_number' }],
    ['a blocked destination', () => ({ fields: { to_number: '+19005550100' } }), { kind: 'destination_not_allowed' }],
    [
      'a destination without a rate',
      () => ({ fields: { to_number: '+442079460000' } }),
      { kind: 'destination_not_allowed' },
    ],
  ];

  it.each(cases)('%s', async (_name, prepare, expected) => {
    const request = world.request(prepare());
    expect((await answer(world, request)).outcome).toMatchObject(expected);
    expect(world.asked).not.toContain('reserve');
  });

  it('choose the system’s number where the account has none and may use it', async () => {
    world.systemNumber = number('+18005550100');
    const permitted = { ...account, outboundNumbers: [], mayUseSystemNumber: true };
    await answer(world, world.request({ account: permitted }));
    await answer(world, world.request({ account: permitted, fields: { from_number: '+18005550100' } }));
    expect([...world.rows.values()].map((row) => row.callerNumber)).toEqual(['+18005550100', '+18005550100']);
  });

  it('report the required hold and the available funds', async () => {
    world.reserveAnswer = { kind: 'insufficient_funds', availableMicros: micros(5) };
    expect((await answer(world, world.request())).outcome).toEqual({
      kind: 'insufficient_funds',
      requiredMicros: micros(24_000),
      availableMicros: micros(5),
      currency: 'USD',
    });
  });

  it('report which capacity is exhausted', async () => {
    world.reserveAnswer = { kind: 'capacity_exceeded', scope: 'account', limit: 2, inUse: 2 };
    expect((await answer(world, world.request())).outcome).toEqual(world.reserveAnswer);
  });
});

describe('while no trunk takes calls', () => {
  const justOut = { kind: 'out', forMs: 1_000, backInMs: 20_000 } as const;
  const systemFull = { kind: 'capacity_exceeded', scope: 'system', limit: 2, inUse: 2 } as const;

  it('a call is accepted if it can wait for a trunk in the queue', async () => {
    world.availability = justOut;
    expect((await answer(world, world.request())).outcome.kind).toBe('accepted');
  });

  it('a call is rejected if waiting is pointless, and nothing is reserved', async () => {
    world.availability = { kind: 'none' };
    const refusal = { kind: 'no_trunk_available', retryAfterSeconds: 30 };
    expect((await answer(world, world.request())).outcome).toEqual(refusal);
    expect(world.asked).not.toContain('reserve');
  });

  it('slots full of waiting calls are not reported as missing capacity, unless the account has used up its own', async () => {
    world.availability = justOut;
    world.reserveAnswer = systemFull;
    expect((await answer(world, world.request())).outcome).toEqual({
      kind: 'no_trunk_available',
      retryAfterSeconds: 20,
    });
    world.reserveAnswer = { ...systemFull, scope: 'account' };
    expect((await answer(world, world.request())).outcome).toEqual(world.reserveAnswer);
  });

  it('a call that was accepted under the same key is returned again', async () => {
    const keyed = () => world.request({ idempotencyKey: 'order-9' });
    await answer(world, keyed());
    world.availability = { kind: 'none' };
    expect((await answer(world, keyed())).outcome.kind).toBe('replayed');
  });

  it('a call is accepted if the trunks’ availability cannot be read: it can wait', async () => {
    world.availabilityError = new Error('Postgres is slow');
    expect((await answer(world, world.request())).outcome.kind).toBe('accepted');
  });
});

const keyed = (fields: Record<string, unknown> = {}) => world.request({ idempotencyKey: 'order-7', fields });

describe('an idempotency key', () => {
  it('returns the same call again, whatever funds and capacity say', async () => {
    const first = await answer(world, keyed());
    world.reserveAnswer = { kind: 'insufficient_funds', availableMicros: micros(0) };
    const second = await answer(world, keyed());
    expect(first.outcome.kind).toBe('accepted');
    expect(second.outcome).toMatchObject({ kind: 'replayed', call: { id: [...world.rows.keys()][0] } });
    expect(world.rows.size).toBe(1);
  });

  it('is rejected for another body, but not for another spelling of the same body', async () => {
    await answer(world, keyed({ metadata: { a: 1, b: [2, { c: null }] } }));
    const spelled = createCallSchema.parse(
      JSON.parse(
        `{"metadata":{"b":[2,{"c":null}],"a":1.0},"agent_id":"${agentId.toUpperCase()}","to_number":"+12025550143"}`,
      ),
    );
    expect((await answer(world, { ...keyed(), body: spelled })).outcome.kind).toBe('replayed');
    expect((await answer(world, keyed({ metadata: { a: 1, b: [{ c: null }, 2] } }))).outcome.kind).toBe(
      'idempotency_key_reused',
    );
  });

  it('belongs to its account', async () => {
    await answer(world, keyed());
    expect((await answer(world, { ...keyed(), account: stranger })).outcome.kind).toBe('accepted');
    expect(world.rows.size).toBe(2);
  });

  it('reports that its first request is still in progress', async () => {
    world.reserveAnswer = { kind: 'duplicate' };
    expect((await answer(world, keyed())).outcome).toEqual({ kind: 'idempotency_in_progress' });
  });

  it('makes one call of concurrent requests', async () => {
    const racing = await Promise.all([answer(world, keyed()), answer(world, keyed()), answer(world, keyed())]);
    const kinds = racing.map(({ outcome }) => outcome.kind);
    expect(kinds.filter((kind) => kind === 'accepted')).toHaveLength(1);
    expect(kinds.every((kind) => ['accepted', 'replayed', 'idempotency_in_progress'].includes(kind))).toBe(true);
    expect([world.rows.size, world.holds.size]).toEqual([1, 1]);
  });

  it('returns a call that came and ended between look-up and reservation, and releases the reservation', async () => {
    const other = new AcceptWorld();
    await answer(other, keyed());
    world.behavior.set('reserve', { actsAfter: 10, answersAfter: 10, rejects: false });
    const answering = answer(world, keyed());
    for (const row of other.rows.values()) world.store.store(row);
    expect((await answering).outcome.kind).toBe('replayed');
    expect(world.holds.size).toBe(0);
  });
});
