import { micros } from '@outdial/contracts';
import { expect, test } from 'vitest';
import { gateKeys } from './keys.ts';
import { beginRebuild } from './scripts/begin-rebuild.ts';
import { publish } from './scripts/publish.ts';
import {
  begunRebuild,
  collect,
  limitsOf,
  newAccountId,
  newCallId,
  newReservationId,
  openGate,
  snapshotOf,
  TIMELINE,
} from '@outdial/calls/testing';
import { gateUnderTest } from '../test/stores.ts';

const under = gateUnderTest();
const accountId = newAccountId();
const tokenOf = (generation: number, walTimeline = TIMELINE) => ({ generation, walTimeline });
const newHold = () => ({ callId: newCallId(), accountId, reservationId: newReservationId(), holdMicros: micros(100) });

const becomeForeign = (field: 'runId' | 'replicationId') => under.redis.hset(gateKeys().gate, field, 'another');

test('a clock that was set back does not keep a dead rebuild alive', async () => {
  await begunRebuild(under.gate);
  await under.redis.hincrby(gateKeys().gate, 'rebuildingSinceMs', 3_600_000);
  expect(await under.gate.beginRebuild()).toMatchObject({ kind: 'begun' });
});

test('the second delivery of a begin is answered like the first', async () => {
  const context = { redis: under.redis, keys: gateKeys() };
  const first = await beginRebuild(context, { attemptId: 'one' });
  expect(await beginRebuild(context, { attemptId: 'one' })).toEqual(first);
  expect(await beginRebuild(context, { attemptId: 'other' })).toEqual({ kind: 'under_way' });
});

test.each(['runId', 'replicationId'] as const)(
  'a gate copied from another Redis (%s) is closed until rebuilt',
  async (field) => {
    await openGate(under.gate, { token: tokenOf(5), accounts: [limitsOf(accountId)] });
    await becomeForeign(field);
    expect(await under.gate.state()).toMatchObject({ open: false, token: null });
    expect(await under.gate.reserve(newHold())).toEqual({ kind: 'closed' });
    expect(await collect(under.gate.accounts())).toEqual([]);
    await openGate(under.gate, { token: tokenOf(6) });
    expect(await under.gate.state()).toMatchObject({ open: true, token: tokenOf(6) });
  },
);

test('a publish that began on another Redis is superseded', async () => {
  const ticket = await begunRebuild(under.gate);
  await becomeForeign('runId');
  expect(await under.gate.publish(ticket, snapshotOf())).toBe('superseded');
  await begunRebuild(under.gate);
  expect(await under.gate.publish(ticket, snapshotOf())).toBe('superseded');
});

test("another Redis's mark does not delay a rebuild", async () => {
  await begunRebuild(under.gate);
  await becomeForeign('runId');
  expect(await under.gate.beginRebuild()).toMatchObject({ kind: 'begun' });
});

test('published contents do not expire, and a superseded publish leaves no stage behind', async () => {
  await openGate(under.gate, { token: tokenOf(2), accounts: [limitsOf(accountId)], holds: [newHold()] });
  const keys = gateKeys();
  expect(await Promise.all([keys.gate, keys.holds, keys.accounts].map((key) => under.redis.ttl(key)))).toEqual([
    -1, -1, -1,
  ]);
  await under.gate.close(tokenOf(2));
  const superseded = snapshotOf({ token: tokenOf(1), accounts: [limitsOf(accountId)], holds: [newHold()] });
  expect(await under.gate.publish(await begunRebuild(under.gate), superseded)).toBe('superseded');
  expect((await under.redis.keys('*')).toSorted()).toEqual([keys.accounts, keys.gate, keys.holds]);
});

test.each([
  ['holds', { holdCount: 1, accountCount: 0 }],
  ['accounts', { holdCount: 0, accountCount: 1 }],
])('a stage whose %s were lost does not open the gate', async (_lost, counts) => {
  const ticket = await begunRebuild(under.gate);
  const { token, system } = snapshotOf();
  const context = { redis: under.redis, keys: gateKeys() };
  expect(await publish(context, { attemptId: 'expired', ticket, token, system, ...counts })).toBe('superseded');
  expect((await under.gate.state()).open).toBe(false);
});

test('no stage is left behind by the second delivery of a publish, or by an inconsistent snapshot', async () => {
  const ticket = await begunRebuild(under.gate);
  const hold = newHold();
  await expect(under.gate.publish(ticket, snapshotOf({ holds: [hold] }))).rejects.toThrow('without its account');
  expect(await under.redis.keys('*')).toEqual([gateKeys().gate]);
  const snapshot = snapshotOf({ accounts: [limitsOf(accountId)], holds: [hold] });
  for (let delivery = 0; delivery < 2; delivery += 1) {
    expect(await under.gate.publish(ticket, snapshot)).toBe('published');
  }
  const keys = gateKeys();
  expect((await under.redis.keys('*')).toSorted()).toEqual([keys.accounts, keys.gate, keys.holds]);
});

test('of replaced contents no key survives', async () => {
  const accounts = [limitsOf(accountId)];
  await openGate(under.gate, { token: tokenOf(1), accounts, holds: [newHold()] });
  await under.gate.close(tokenOf(1));
  await openGate(under.gate, { token: tokenOf(2) });
  expect(await under.redis.keys('*')).toEqual([gateKeys().gate]);
});
