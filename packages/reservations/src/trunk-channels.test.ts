import type { TrunkLimits } from '@outdial/calls';
import { micros, type AccountId } from '@outdial/contracts';
import { beforeEach, describe, expect, test } from 'vitest';
import { begunRebuild, limitsOf, newCallId, newReservationId, snapshotOf, TIMELINE } from '@outdial/calls/testing';
import { gateUnderTest } from '../test/stores.ts';
import { openWithChannels, reserved, TOKEN, trunk } from '../test/trunk-fixture.ts';
import { createTrunkChannels } from './index.ts';

const under = gateUnderTest();
const channelsOver = () => createTrunkChannels({ redis: under.connect() });

let accountId: AccountId;
beforeEach(async () => {
  accountId = await openWithChannels(under.gate, channelsOver());
});

/** A reserved call that requests a channel before its claim. */
async function acquire(...trunks: readonly TrunkLimits[]) {
  const call = await reserved(under.gate, accountId);
  return { call, outcome: await channelsOver().acquire({ callId: call.callId, trunks }) };
}
const acquiredFrom = (name: string) => ({ kind: 'acquired', trunk: name });
const forgetSweep = () => under.redis.hdel('{outdial}:trunks', 'sweptAtMs');
const SWEPT_NOW = `
  local now = redis.call('TIME')
  redis.call('HSET', KEYS[1], 'sweptAtMs', string.format('%d', now[1] * 1000 + now[2] / 1000))`;
const ripen = (name: string) => under.redis.hdel('{outdial}:trunks', `due:${name}`);

describe('channels', () => {
  test('of many concurrent calls exactly as many acquire a channel as the trunks have channels', async () => {
    const calls = await Promise.all(Array.from({ length: 60 }, () => reserved(under.gate, accountId)));
    const channels = [channelsOver(), channelsOver(), channelsOver()];
    const acquired = new Map<string, number>();
    const trunks = [trunk('main', 20), trunk('spare', 5)];
    const asking = calls.map(async ({ callId }, index) => {
      const outcome = await channels[index % 3]?.acquire({ callId, trunks });
      if (outcome?.kind === 'acquired') acquired.set(outcome.trunk, (acquired.get(outcome.trunk) ?? 0) + 1);
    });
    await Promise.all(asking);
    expect(Object.fromEntries(acquired)).toEqual({ main: 20, spare: 5 });
  });

  test('the second delivery of a command changes nothing', async () => {
    const main = trunk('main', 1);
    const { call, outcome } = await acquire(main);
    expect(outcome).toEqual(acquiredFrom('main'));
    const channels = channelsOver();
    expect(await channels.acquire({ callId: call.callId, trunks: [main] })).toEqual(acquiredFrom('main'));
    for (let delivery = 0; delivery < 2; delivery += 1) {
      expect(await channels.take({ ...call, trunk: main })).toEqual({ kind: 'taken', token: TOKEN });
    }
    expect(await under.redis.hget('{outdial}:trunks', 'used:main')).toBe('1');
  });

  test('a channel is free as soon as its reservation is released', async () => {
    const main = trunk('main', 1);
    const { call } = await acquire(main);
    expect((await acquire(main)).outcome).toMatchObject({ kind: 'wait' });
    await under.gate.release(call);
    await forgetSweep();
    expect((await acquire(main)).outcome).toEqual(acquiredFrom('main'));
  });

  test('a late command of a released reservation takes nothing', async () => {
    const main = trunk('main', 2);
    const { call } = await acquire(main);
    await under.gate.release(call);
    await reserved(under.gate, accountId, call.callId);
    expect(await channelsOver().take({ ...call, trunk: main })).toEqual({ kind: 'not_held' });
    expect(await channelsOver().take({ ...call, callId: newCallId(), trunk: main })).toEqual({ kind: 'not_held' });
    expect(await channelsOver().acquire({ callId: newCallId(), trunks: [main] })).toEqual({ kind: 'not_held' });
  });

  test('a further dial attempt moves the call: the channel of the previous trunk is free', async () => {
    const [main, spare] = [trunk('main', 1), trunk('spare', 1)];
    const { call } = await acquire(main);
    expect(await channelsOver().take({ ...call, trunk: spare })).toMatchObject({ kind: 'taken' });
    await ripen('main');
    const next = await acquire(main);
    expect(next.outcome).toEqual(acquiredFrom('main'));
    expect(await channelsOver().take({ ...next.call, trunk: spare })).toEqual({ kind: 'full' });
    expect(await channelsOver().take({ ...next.call, trunk: main })).toMatchObject({ kind: 'taken' });
  });

  test('under full load the channels are swept ten times a second, not at every command', async () => {
    const main = trunk('main', 1);
    const { call } = await acquire(main);
    await acquire(main);
    await under.gate.release(call);
    // The sweep of a moment ago is still valid. Over one connection, both commands run in the same moment.
    const { callId } = await reserved(under.gate, accountId);
    const channels = createTrunkChannels({ redis: under.redis });
    const [, outcome] = await Promise.all([
      under.redis.eval(SWEPT_NOW, 1, '{outdial}:trunks'),
      channels.acquire({ callId, trunks: [main] }),
    ]);
    expect(outcome).toMatchObject({ kind: 'wait' });
    await under.redis.hset('{outdial}:trunks', 'sweptAtMs', String((await redisNowMs()) - 100));
    expect((await acquire(main)).outcome).toEqual(acquiredFrom('main'));
  });
});

describe('pace', () => {
  test('a trunk is dialed once in its share of a second, by all workers together', async () => {
    const slow = trunk('slow', 100, 4);
    expect((await acquire(slow)).outcome).toEqual(acquiredFrom('slow'));
    const { call, outcome } = await acquire(slow);
    expect(outcome).toMatchObject({ kind: 'wait' });
    const waited = outcome.kind === 'wait' ? outcome.forMs : 0;
    expect(waited).toBeGreaterThan(0);
    expect(waited).toBeLessThanOrEqual(250);
    expect(await channelsOver().take({ ...call, trunk: slow })).toMatchObject({ kind: 'wait' });
  });

  test('within any second no more calls start than the trunk takes', async () => {
    const paced = trunk('paced', 1_000, 20);
    const calls = await Promise.all(Array.from({ length: 30 }, () => reserved(under.gate, accountId)));
    const goneAtMicros: number[] = [];
    const channels = channelsOver();
    for (const { callId } of calls) {
      while ((await channels.acquire({ callId, trunks: [paced] })).kind !== 'acquired');
      // When the next call may start, minus one call's share.
      goneAtMicros.push(Number(await under.redis.hget('{outdial}:trunks', 'due:paced')) - 50_000);
    }
    const spans = goneAtMicros.slice(20).map((at, index) => at - (goneAtMicros[index] ?? 0));
    expect(spans).toHaveLength(10);
    for (const span of spans) expect(span).toBeGreaterThanOrEqual(1_000_000);
  });

  test('a call takes the next trunk rather than wait for the first', async () => {
    const [slow, fast] = [trunk('slow', 10, 1), trunk('fast', 10, 1)];
    expect((await acquire(slow, fast)).outcome).toEqual(acquiredFrom('slow'));
    expect((await acquire(slow, fast)).outcome).toEqual(acquiredFrom('fast'));
    expect((await acquire(slow, fast)).outcome).toMatchObject({ kind: 'wait' });
  });

  test('waiting calls get separate turns, at most ten seconds ahead', async () => {
    const slow = trunk('slow', 1_000, 2);
    await acquire(slow);
    // The machine may stop between any two of these, so each moment is compared by its earliest and latest time.
    const turns: { readonly earliestMs: number; readonly latestMs: number }[] = [];
    const asked = new Set<number>();
    while (!asked.has(10_000)) {
      const beforeMs = (await redisNowMicros()) / 1_000;
      const { outcome } = await acquire(slow);
      const afterMs = (await redisNowMicros()) / 1_000;
      if (outcome.kind !== 'wait') continue;
      asked.add(outcome.forMs);
      if (outcome.forMs === 10_000) continue;
      turns.push({ earliestMs: beforeMs + outcome.forMs - 1, latestMs: afterMs + outcome.forMs });
    }
    expect(turns.length).toBeGreaterThan(10);
    for (const [index, turn] of turns.entries()) {
      const before = turns[index - 1];
      if (before) expect(turn.latestMs - before.earliestMs).toBeGreaterThanOrEqual(500);
    }
    for (let more = 0; more < 5; more += 1) {
      const { outcome } = await acquire(slow);
      if (outcome.kind === 'wait') expect(outcome.forMs).toBeLessThanOrEqual(10_000);
    }
  });

  test('a clock that was set back delays no call', async () => {
    const slow = trunk('slow', 10, 1);
    await acquire(slow);
    await under.redis.hset('{outdial}:trunks', 'due:slow', String((await redisNowMicros()) + 3_600_000_000));
    expect((await acquire(slow)).outcome).toEqual(acquiredFrom('slow'));
  });
});

describe('the capacity of the system', () => {
  test('follows its trunks within its setting, and is unchanged by repetition', async () => {
    await reserved(under.gate, accountId);
    expect(await channelsOver().limitSystem({ capacity: 1, capacityVersion: 1 })).toBe('limited');
    expect(await reserveOne()).toBe('capacity_exceeded');
    expect(await under.gate.refreshSystem({ capacity: 1_000, capacityVersion: 1 })).toBe('unchanged');
    expect(await reserveOne()).toBe('capacity_exceeded');
    expect(await channelsOver().limitSystem({ capacity: 2, capacityVersion: 1 })).toBe('limited');
    expect(await reserveOne()).toBe('reserved');
  });

  test('is not limited under another setting, or while the gate is closed', async () => {
    await under.gate.refreshSystem({ capacity: 500, capacityVersion: 2 });
    expect(await channelsOver().limitSystem({ capacity: 0, capacityVersion: 1 })).toBe('unchanged');
    expect(await reserveOne()).toBe('reserved');
    await under.gate.close(TOKEN);
    expect(await channelsOver().limitSystem({ capacity: 0, capacityVersion: 2 })).toBe('closed');
  });
});

describe('a rebuild', () => {
  const next = { generation: 2, walTimeline: TIMELINE };

  test('gives out no channel until those of open calls were restored, once', async () => {
    const main = trunk('main', 2);
    const { call } = await acquire(main);
    await under.gate.close(TOKEN);
    expect((await channelsOver().acquire({ callId: call.callId, trunks: [main] })).kind).toBe('closed');
    const other = { callId: newCallId(), accountId, reservationId: newReservationId(), holdMicros: call.holdMicros };
    const snapshot = snapshotOf({ token: next, accounts: [limitsOf(accountId)], holds: [call, other] });
    await under.gate.publish(await begunRebuild(under.gate), snapshot);

    const channels = channelsOver();
    const stale = { kind: 'stale', token: next };
    expect(await channels.acquire({ callId: call.callId, trunks: [main] })).toEqual(stale);
    expect(await channels.take({ ...call, trunk: main })).toEqual(stale);
    expect(await channels.restore(TOKEN, [])).toBe('superseded');
    expect(await channels.restore(next, [{ ...call, trunk: main.name }])).toBe('restored');
    expect(await channels.take({ ...other, trunk: main })).toMatchObject({ kind: 'taken' });
    // A second restore from the same time changes nothing: the channel that was taken in between stays taken.
    expect(await channels.restore(next, [])).toBe('restored');
    expect((await acquire(main)).outcome).toMatchObject({ kind: 'wait' });
  });

  test('keeps exactly the held ones of thousands of channels', async () => {
    const calls = await Promise.all(Array.from({ length: 500 }, () => reserved(under.gate, accountId)));
    const main = trunk('main', 500);
    await under.redis.hdel('{outdial}:trunks', 'token');
    const gone = Array.from({ length: 4_000 }, () => ({ callId: newCallId(), reservationId: newReservationId() }));
    await channelsOver().restore(
      TOKEN,
      [...calls, ...gone].map(({ callId, reservationId }) => ({ callId, reservationId, trunk: main.name })),
    );
    expect((await acquire(main)).outcome).toMatchObject({ kind: 'wait' });
    expect(await under.redis.hlen('{outdial}:channels')).toBe(500);
    expect(await under.redis.hget('{outdial}:trunks', 'used:main')).toBe('500');
  });
});

async function reserveOne(): Promise<string> {
  const [callId, reservationId] = [newCallId(), newReservationId()];
  return (await under.gate.reserve({ callId, reservationId, accountId, holdMicros: micros(1) })).kind;
}

async function redisNowMicros(): Promise<number> {
  const [seconds, microseconds] = await under.redis.time();
  return Number(seconds) * 1_000_000 + Number(microseconds);
}
const redisNowMs = async () => Math.floor((await redisNowMicros()) / 1_000);
