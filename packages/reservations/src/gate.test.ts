import type { ReserveInput } from '@outdial/calls';
import { MAX_MICROS, micros } from '@outdial/contracts';
import { describe, expect, test, vi } from 'vitest';
import { collect, limitsOf, newAccountId, newCallId, newReservationId, open, TIMELINE } from '../test/gate-fixture.ts';
import { gateUnderTest } from '../test/stores.ts';
import { createGate } from './index.ts';
import { gateKeys } from './keys.ts';
import { loadLua } from './scripts/load-lua.ts';

const under = gateUnderTest();
const token = { generation: 1, walTimeline: TIMELINE };
const accountId = newAccountId();

function attempt(changes: Partial<ReserveInput> = {}): ReserveInput {
  return { callId: newCallId(), accountId, reservationId: newReservationId(), holdMicros: micros(100), ...changes };
}

async function openWith(changes: Parameters<typeof limitsOf>[1] = {}, systemCapacity = 1_000): Promise<void> {
  await open(under.gate, {
    accounts: [limitsOf(accountId, changes)],
    system: { capacity: systemCapacity, capacityVersion: 1 },
  });
}

describe('reserve answers the first refusal that applies', () => {
  test('a gate that was never built is closed', async () => {
    expect(await under.gate.reserve(attempt())).toEqual({ kind: 'closed' });
  });

  test('a closed gate answers closed even to a reservation that stands', async () => {
    await openWith();
    const input = attempt();
    await under.gate.reserve(input);
    await under.gate.close(token);
    expect(await under.gate.reserve(input)).toEqual({ kind: 'closed' });
  });

  test('a reservation that stands answers before funds and capacity, and claims nothing more', async () => {
    await openWith({ balanceMicros: micros(100), capacity: 1 }, 1);
    const input = attempt();
    expect(await under.gate.reserve(input)).toEqual({ kind: 'reserved', token });
    expect(await under.gate.reserve(input)).toEqual({ kind: 'reserved', token });
    expect((await under.gate.state()).slotsInUse).toBe(1);
  });

  test('another attempt for the same call is a duplicate, before an unknown account is noticed', async () => {
    await openWith();
    const input = attempt();
    await under.gate.reserve(input);
    const other = { ...input, reservationId: newReservationId(), accountId: newAccountId() };
    expect(await under.gate.reserve(other)).toEqual({ kind: 'duplicate' });
  });

  test('the same reservation id under another account is a duplicate', async () => {
    await openWith();
    const input = attempt();
    await under.gate.reserve(input);
    expect(await under.gate.reserve({ ...input, accountId: newAccountId() })).toEqual({ kind: 'duplicate' });
  });

  test('an account that the gate has not met is unknown, with the token under which to load it', async () => {
    await openWith({}, 0);
    const unknown = attempt({ accountId: newAccountId() });
    expect(await under.gate.reserve(unknown)).toEqual({ kind: 'account_unknown', token });
  });

  test('funds are refused before capacity, with what no hold claims', async () => {
    await openWith({ balanceMicros: micros(150), capacity: 1 }, 1);
    await under.gate.reserve(attempt());
    expect(await under.gate.reserve(attempt())).toEqual({ kind: 'insufficient_funds', availableMicros: 50n });
  });

  test("the account's slots are refused before the system's", async () => {
    await openWith({ capacity: 1 }, 1);
    await under.gate.reserve(attempt());
    const refusal = { kind: 'capacity_exceeded', scope: 'account', limit: 1, inUse: 1 };
    expect(await under.gate.reserve(attempt())).toEqual(refusal);
  });

  test("the system's slots are refused last", async () => {
    await openWith({ capacity: 2 }, 1);
    await under.gate.reserve(attempt());
    const refusal = { kind: 'capacity_exceeded', scope: 'system', limit: 1, inUse: 1 };
    expect(await under.gate.reserve(attempt())).toEqual(refusal);
  });

  test('the whole balance may be held, and not a micro more', async () => {
    await openWith({ balanceMicros: micros(MAX_MICROS) });
    expect(await under.gate.reserve(attempt({ holdMicros: micros(MAX_MICROS - 1n) }))).toMatchObject({
      kind: 'reserved',
    });
    const refusal = { kind: 'insufficient_funds', availableMicros: 1n };
    expect(await under.gate.reserve(attempt({ holdMicros: micros(2) }))).toEqual(refusal);
    expect(await under.gate.reserve(attempt({ holdMicros: micros(1) }))).toMatchObject({ kind: 'reserved' });
  });
});

describe('reservations that are asked for in one turn', () => {
  test('go to Redis in one run of the script, and each gets the answer that it would get alone', async () => {
    await openWith({ balanceMicros: micros(250), capacity: 3 });
    const [first, again] = [attempt(), newReservationId()];
    const redis = under.connect();
    const runs = vi.spyOn(redis, 'evalsha');
    const gate = createGate({ redis });
    const outcomes = await Promise.all(
      [
        first,
        { ...first, reservationId: again },
        first,
        attempt({ accountId: newAccountId() }),
        attempt({ holdMicros: micros(151) }),
        attempt(),
        attempt({ holdMicros: micros(0) }),
        attempt({ holdMicros: micros(0) }),
      ].map((input) => gate.reserve(input)),
    );
    expect(outcomes).toEqual([
      { kind: 'reserved', token },
      { kind: 'duplicate' },
      { kind: 'reserved', token },
      { kind: 'account_unknown', token },
      { kind: 'insufficient_funds', availableMicros: 150n },
      { kind: 'reserved', token },
      { kind: 'reserved', token },
      { kind: 'capacity_exceeded', scope: 'account', limit: 3, inUse: 3 },
    ]);
    expect(runs).toHaveBeenCalledTimes(1);
    const holds = await collect(under.gate.holds());
    expect(new Map(holds.map(({ callId, holdMicros }) => [callId, holdMicros])).get(first.callId)).toBe(100n);
    expect(holds).toHaveLength(3);
  });

  test('beyond what one run takes, all are answered all the same', async () => {
    await openWith({ capacity: 1_000, balanceMicros: micros(1_000_000) });
    const outcomes = await Promise.all(Array.from({ length: 250 }, () => under.gate.reserve(attempt())));
    expect(outcomes.every(({ kind }) => kind === 'reserved')).toBe(true);
    expect((await under.gate.state()).slotsInUse).toBe(250);
  });

  test('one whose amount cannot be a hold is refused alone', async () => {
    await openWith();
    const [good, bad] = await Promise.allSettled([
      under.gate.reserve(attempt()),
      under.gate.reserve(attempt({ holdMicros: micros(-1) })),
    ]);
    expect([good.status, bad.status]).toEqual(['fulfilled', 'rejected']);
    expect((await under.gate.state()).slotsInUse).toBe(1);
  });

  test('an error half-way through a run keeps nothing of it', async () => {
    await openWith();
    const broken = newAccountId();
    await under.redis.hset(gateKeys().accounts, broken, 'not a record');
    const outcomes = await Promise.allSettled(
      [attempt(), attempt({ accountId: broken })].map((input) => under.gate.reserve(input)),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect((await under.gate.state()).slotsInUse).toBe(0);
    await under.redis.hdel(gateKeys().accounts, broken);
    const available = await under.gate.reserve(attempt({ holdMicros: micros(1_000_001) }));
    expect(available).toEqual({ kind: 'insufficient_funds', availableMicros: 1_000_000n });
  });

  test('a release in the same turn comes after them', async () => {
    await openWith();
    const input = attempt();
    const reserving = under.gate.reserve(input);
    expect(await under.gate.release(input)).toBe('released');
    expect(await reserving).toEqual({ kind: 'reserved', token });
    expect((await under.gate.state()).slotsInUse).toBe(0);
  });
});

describe('enlarge', () => {
  test('sets an absolute amount, so that a second delivery adds nothing', async () => {
    await openWith({ balanceMicros: micros(300) });
    const input = attempt();
    await under.gate.reserve(input);
    const larger = { ...input, holdMicros: micros(250) };
    expect(await under.gate.enlarge(larger)).toEqual({ kind: 'enlarged', token });
    expect(await under.gate.enlarge(larger)).toEqual({ kind: 'enlarged', token });
    expect(await under.gate.reserve(attempt())).toEqual({ kind: 'insufficient_funds', availableMicros: 50n });
  });

  test('never makes a hold smaller', async () => {
    await openWith();
    const input = attempt();
    await under.gate.reserve(input);
    expect(await under.gate.enlarge({ ...input, holdMicros: micros(1) })).toEqual({ kind: 'enlarged', token });
    expect(await collect(under.gate.holds())).toMatchObject([{ holdMicros: 100n }]);
  });

  test('is refused beyond the balance and leaves the hold as it was', async () => {
    await openWith({ balanceMicros: micros(300) });
    const input = attempt();
    await under.gate.reserve(input);
    const refusal = { kind: 'insufficient_funds', availableMicros: 200n };
    expect(await under.gate.enlarge({ ...input, holdMicros: micros(301) })).toEqual(refusal);
    expect(await collect(under.gate.holds())).toMatchObject([{ holdMicros: 100n }]);
  });

  test('a reservation that was released, or is not this one, is not held', async () => {
    await openWith();
    const input = attempt();
    await under.gate.reserve(input);
    const foreign = { ...input, reservationId: newReservationId() };
    expect(await under.gate.enlarge(foreign)).toEqual({ kind: 'not_held' });
    await under.gate.release(input);
    expect(await under.gate.enlarge(input)).toEqual({ kind: 'not_held' });
  });
});

describe('release', () => {
  test('frees funds and slot once, however often it is delivered', async () => {
    await openWith({ balanceMicros: micros(100), capacity: 1 });
    const input = attempt();
    await under.gate.reserve(input);
    expect(await under.gate.release(input)).toBe('released');
    expect(await under.gate.release(input)).toBe('not_held');
    expect(await under.gate.reserve(attempt())).toMatchObject({ kind: 'reserved' });
  });

  test('a late release of an earlier attempt leaves the later one alone', async () => {
    await openWith();
    const first = attempt();
    await under.gate.reserve(first);
    await under.gate.release(first);
    const second = { ...first, reservationId: newReservationId() };
    await under.gate.reserve(second);
    expect(await under.gate.release(first)).toBe('not_held');
    expect(await collect(under.gate.holds())).toMatchObject([{ reservationId: second.reservationId }]);
  });

  test('takes a newer balance over together with the hold, and an older one never', async () => {
    await openWith({ balanceMicros: micros(1_000), balanceVersion: 5 });
    const input = attempt();
    await under.gate.reserve(input);
    await under.gate.release({ ...input, balance: { balanceMicros: micros(940), balanceVersion: 6 } });
    await under.gate.release({ ...input, balance: { balanceMicros: micros(1_000), balanceVersion: 5 } });
    expect(await collect(under.gate.accounts())).toEqual([
      limitsOf(accountId, { balanceMicros: micros(940), balanceVersion: 6 }),
    ]);
  });

  test('a balance reaches the gate even when the hold is gone', async () => {
    await openWith();
    const balance = { balanceMicros: micros(7), balanceVersion: 2 };
    expect(await under.gate.release({ ...attempt(), balance })).toBe('not_held');
    expect(await collect(under.gate.accounts())).toMatchObject([balance]);
  });
});

describe('what the gate knows of an account', () => {
  test('is loaded under the token that asked for it', async () => {
    await open(under.gate);
    const input = attempt();
    expect(await under.gate.loadAccount(token, limitsOf(accountId))).toBe('loaded');
    expect(await under.gate.reserve(input)).toEqual({ kind: 'reserved', token });
  });

  test('is not replaced by a load that comes late', async () => {
    await openWith({ balanceMicros: micros(40), balanceVersion: 9 });
    await under.gate.loadAccount(token, limitsOf(accountId, { balanceMicros: micros(100), balanceVersion: 8 }));
    expect(await collect(under.gate.accounts())).toMatchObject([{ balanceMicros: 40n, balanceVersion: 9 }]);
  });

  test('is refreshed by balance and capacity apart, each by its own version', async () => {
    await openWith({ balanceVersion: 5, capacity: 3, capacityVersion: 5 });
    const newerCapacity = limitsOf(accountId, { balanceVersion: 4, capacity: 8, capacityVersion: 6 });
    expect(await under.gate.refreshAccount({ ...newerCapacity, balanceMicros: micros(1) })).toBe('refreshed');
    expect(await collect(under.gate.accounts())).toEqual([
      limitsOf(accountId, { balanceVersion: 5, capacity: 8, capacityVersion: 6 }),
    ]);
    expect(await under.gate.refreshAccount(newerCapacity)).toBe('unchanged');
  });

  test('is never created by a refresh', async () => {
    await open(under.gate);
    expect(await under.gate.refreshAccount(limitsOf(accountId))).toBe('unchanged');
    expect(await collect(under.gate.accounts())).toEqual([]);
  });

  test('a balance below zero refuses every hold and comes back as it is', async () => {
    await openWith({ balanceMicros: micros(-5) });
    const refusal = { kind: 'insufficient_funds', availableMicros: -5n };
    expect(await under.gate.reserve(attempt({ holdMicros: micros(0) }))).toEqual(refusal);
  });
});

describe("the system's capacity", () => {
  test('is refreshed by a newer version alone', async () => {
    await openWith({}, 0);
    expect(await under.gate.refreshSystem({ capacity: 5, capacityVersion: 1 })).toBe('unchanged');
    expect(await under.gate.refreshSystem({ capacity: 5, capacityVersion: 2 })).toBe('refreshed');
    expect(await under.gate.reserve(attempt())).toMatchObject({ kind: 'reserved' });
  });

  test('a cap below what is in use refuses new calls and keeps the open ones', async () => {
    await openWith();
    await under.gate.reserve(attempt());
    await under.gate.reserve(attempt());
    await under.gate.refreshSystem({ capacity: 1, capacityVersion: 2 });
    const refusal = { kind: 'capacity_exceeded', scope: 'system', limit: 1, inUse: 2 };
    expect(await under.gate.reserve(attempt())).toEqual(refusal);
    expect((await under.gate.state()).slotsInUse).toBe(2);
  });
});

describe('amounts and versions out of bounds never reach Redis', () => {
  test('a negative hold is rejected', async () => {
    await openWith();
    await expect(under.gate.reserve(attempt({ holdMicros: micros(-1) }))).rejects.toThrow('below zero');
    expect((await under.gate.state()).slotsInUse).toBe(0);
  });

  test.each([
    ['9007199254740992', 'not an integer within 2^53'],
    ['-9007199254740992', 'not an integer within 2^53'],
    ['0.5', 'not an integer within 2^53'],
    ['nan', 'not an integer within 2^53'],
    ['', 'not an integer within 2^53'],
    ['-1', 'below zero'],
  ])('a hold of "%s" is refused by the script too', async (text, reason) => {
    await openWith();
    const source = loadLua('reserve-3.lua');
    const keys = [gateKeys().gate, gateKeys().holds, gateKeys().accounts];
    const reserved = under.redis.eval(source, 3, ...keys, newCallId(), accountId, newReservationId(), text);
    await expect(reserved).rejects.toThrow(reason);
    expect((await under.gate.state()).slotsInUse).toBe(0);
  });

  test('a version that is not a whole number is rejected', async () => {
    await openWith();
    const limits = limitsOf(accountId, { balanceVersion: 1.5 });
    await expect(under.gate.refreshAccount(limits)).rejects.toThrow('balance version 1.5');
  });
});
