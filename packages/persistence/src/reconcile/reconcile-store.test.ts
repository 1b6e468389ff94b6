import { accountIdSchema, micros } from '@outdial/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, newCallId, newReservationId, settlementOf, type World } from '../../test/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

test('every hold gets its status, in input order', async () => {
  const party = await world.party();
  const open = await world.claimed(party);
  const ended = await world.claimed(party);
  await world.drives.settle(settlementOf(ended));
  const truth = await world.reconciles.holdStatuses([
    { callId: ended.id, reservationId: ended.reservationId },
    { callId: newCallId(), reservationId: newReservationId() },
    { callId: open.id, reservationId: open.reservationId },
    // The call exists, with the reservation of another accept: this hold belongs to no call.
    { callId: open.id, reservationId: newReservationId() },
  ]);
  const balance = { balanceMicros: 999_983_000n, balanceVersion: 2 };
  expect(truth).toEqual([
    {
      kind: 'ended',
      release: { callId: ended.id, accountId: party.accountId, reservationId: ended.reservationId, balance },
    },
    { kind: 'unknown' },
    { kind: 'open' },
    { kind: 'unknown' },
  ]);
  expect(await world.reconciles.holdStatuses([])).toEqual([]);
});

test('queued calls come oldest first, expired ones marked, without young and claimed ones', async () => {
  const party = await world.party();
  const first = await world.queued(party);
  const second = await world.queued(party, { queueTtlSeconds: 0 });
  await world.claimed(party);
  const found = await world.reconciles.queuedCalls({ olderThanMs: 0, limit: 1_000 });
  const ours = found.filter(({ callId }) => [first.id, second.id].includes(callId));
  expect(ours).toEqual([
    { callId: first.id, expired: false },
    { callId: second.id, expired: true },
  ]);
  expect(found).toHaveLength(ours.length);
  expect(await world.reconciles.queuedCalls({ olderThanMs: 0, limit: 1 })).toHaveLength(1);
  expect(await world.reconciles.queuedCalls({ olderThanMs: 600_000, limit: 1_000 })).toEqual([]);
});

test('limits omit accounts that do not exist', async () => {
  const { accountId } = await world.party(5);
  const { accountId: other } = await world.party(6);
  const unknown = accountIdSchema.parse(newCallId());
  const limits = await world.reconciles.limitsOf([accountId, other, unknown]);
  const rest = { balanceVersion: 1, capacity: 10, capacityVersion: 1 };
  expect(limits.toSorted((left, right) => Number(left.balanceMicros - right.balanceMicros))).toEqual([
    { accountId, balanceMicros: 5n, ...rest },
    { accountId: other, balanceMicros: 6n, ...rest },
  ]);
  expect(await world.reconciles.systemLimits()).toEqual({ capacity: 1_000, capacityVersion: 1 });
});

describe('a generation', () => {
  test('is incremented each time, and current from then on', async () => {
    const before = await world.reconciles.currentToken();
    const next = await world.reconciles.nextGeneration();
    expect(next).toEqual({ generation: before.generation + 1, walTimeline: before.walTimeline });
    expect(await world.reconciles.currentToken()).toEqual(next);
    expect(next.walTimeline).toMatch(/^[0-9A-F]{8}$/);
  });

  test('taken concurrently is always unique', async () => {
    const tokens = await Promise.all(Array.from({ length: 20 }, () => world.reconciles.nextGeneration()));
    expect(new Set(tokens.map(({ generation }) => generation)).size).toBe(20);
  });
});

describe('a snapshot', () => {
  test('has the open calls and their accounts, and nothing else', async () => {
    const party = await world.party();
    const open = await world.claimed(party);
    const token = await world.reconciles.currentToken();
    await world.drives.enlargeHold({ callId: open.id, epoch: open.epoch, holdMicros: micros(41_000), token });
    const ended = await world.claimed(party);
    await world.drives.settle(settlementOf(ended));
    const idle = await world.party();

    const snapshot = await world.reconciles.snapshot(token);
    expect(snapshot.token).toEqual(token);
    expect(snapshot.system).toEqual({ capacity: 1_000, capacityVersion: 1 });
    expect(snapshot.holds).toContainEqual({
      callId: open.id,
      accountId: party.accountId,
      reservationId: open.reservationId,
      holdMicros: 41_000n,
    });
    expect(snapshot.holds.map(({ callId }) => callId)).not.toContain(ended.id);
    const rest = { capacity: 10, capacityVersion: 1 };
    expect(snapshot.accounts).toContainEqual({
      ...rest,
      accountId: party.accountId,
      balanceMicros: 999_983_000n,
      balanceVersion: 2,
    });
    expect(snapshot.accounts.map(({ accountId }) => accountId)).not.toContain(idle.accountId);
  });

  test('is consistent: a call that is being settled is either held and not charged, or charged and not held', async () => {
    const party = await world.party(1_000_000);
    const calls = await Promise.all(Array.from({ length: 40 }, () => world.claimed(party)));
    const token = await world.reconciles.currentToken();
    const settling = calls.map((call) => world.drives.settle(settlementOf(call)));
    for (let open = calls.length; open > 0;) {
      const snapshot = await world.reconciles.snapshot(token);
      open = snapshot.holds.filter(({ accountId }) => accountId === party.accountId).length;
      const account = snapshot.accounts.find(({ accountId }) => accountId === party.accountId);
      const spentMicros = (calls.length - open) * 17_000;
      if (account) expect(account.balanceMicros).toBe(BigInt(1_000_000 - spentMicros));
      else expect(open).toBe(0);
    }
    await Promise.all(settling);
  });
});

test('a call that was accepted in one generation is in the snapshot of the next one, or not accepted', async () => {
  const party = await world.party();
  for (let round = 0; round < 10; round += 1) {
    const rows = await Promise.all(Array.from({ length: 8 }, () => world.row(party)));
    const accepting = Promise.all(rows.map((row) => world.accepts.accept(row)));
    const token = await world.reconciles.nextGeneration();
    const snapshot = await world.reconciles.snapshot(token);
    const outcomes = await accepting;
    const held = new Set(snapshot.holds.map(({ reservationId }) => reservationId));
    for (const [index, row] of rows.entries()) {
      expect(outcomes[index]?.kind).toBe(held.has(row.reservationId) ? 'accepted' : 'gate_stale');
    }
  }
});
