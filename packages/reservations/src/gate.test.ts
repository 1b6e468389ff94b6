import type { ReserveInput } from '@outdial/calls';
import { micros } from '@outdial/contracts';
import { describe, expect, test, vi } from 'vitest';
import {
  collect,
  limitsOf,
  newAccountId,
  newCallId,
  newReservationId,
  openGate,
  TIMELINE,
} from '@outdial/calls/testing';
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
  await openGate(under.gate, {
    accounts: [limitsOf(accountId, changes)],
    system: { capacity: systemCapacity, capacityVersion: 1 },
  });
}

describe('reservations that are requested in one tick', () => {
  test('go to Redis in one run of the script, and each gets the same answer as alone', async () => {
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

  test('beyond the size of one run are all answered', async () => {
    await openWith({ capacity: 1_000, balanceMicros: micros(1_000_000) });
    const outcomes = await Promise.all(Array.from({ length: 250 }, () => under.gate.reserve(attempt())));
    expect(outcomes.every(({ kind }) => kind === 'reserved')).toBe(true);
    expect((await under.gate.state()).slotsInUse).toBe(250);
  });

  test('fail alone if their amount cannot be a hold', async () => {
    await openWith();
    const [good, bad] = await Promise.allSettled([
      under.gate.reserve(attempt()),
      under.gate.reserve(attempt({ holdMicros: micros(-1) })),
    ]);
    expect([good.status, bad.status]).toEqual(['fulfilled', 'rejected']);
    expect((await under.gate.state()).slotsInUse).toBe(1);
  });

  test('are all dropped by an error halfway through their run', async () => {
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

  test('come before a release in the same tick', async () => {
    await openWith();
    const input = attempt();
    const reserving = under.gate.reserve(input);
    expect(await under.gate.release(input)).toBe('released');
    expect(await reserving).toEqual({ kind: 'reserved', token });
    expect((await under.gate.state()).slotsInUse).toBe(0);
  });
});

describe('amounts and versions out of bounds never reach Redis', () => {
  test.each([
    ['9007199254740992', 'not an integer within 2^53'],
    ['-9007199254740992', 'not an integer within 2^53'],
    ['0.5', 'not an integer within 2^53'],
    ['nan', 'not an integer within 2^53'],
    ['', 'not an integer within 2^53'],
    ['-1', 'below zero'],
  ])('a hold of "%s" is rejected by the script too', async (text, reason) => {
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
