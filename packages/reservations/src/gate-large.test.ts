import { micros } from '@outdial/contracts';
import { expect, test } from 'vitest';
import { createGate } from './index.ts';
import {
  begunRebuild,
  collect,
  limitsOf,
  newAccountId,
  newCallId,
  newReservationId,
  snapshotOf,
} from '@outdial/calls/testing';
import { gateUnderTest } from '../test/stores.ts';

const under = gateUnderTest();

const OPEN_CALLS = 5_000;
const accounts = Array.from({ length: 1_000 }, () => limitsOf(newAccountId(), { capacity: 100 }));
const holds = accounts.flatMap(({ accountId }) =>
  Array.from({ length: OPEN_CALLS / accounts.length }, () => ({
    callId: newCallId(),
    accountId,
    reservationId: newReservationId(),
    holdMicros: micros(1_000),
  })),
);
const byId = <Item>(id: (item: Item) => string, items: readonly Item[]) =>
  new Map(items.map((item) => [id(item), item]));

test('5,000 open calls are published atomically for readers, and a walk returns them all', async () => {
  const ticket = await begunRebuild(under.gate);
  const reader = createGate({ redis: under.connect() });
  const publishing = under.gate.publish(ticket, snapshotOf({ accounts, holds }));
  // A reader sees nothing, then everything.
  let state = await reader.state();
  for (; !state.open; state = await reader.state()) expect(state.slotsInUse).toBe(0);
  expect(state.slotsInUse).toBe(OPEN_CALLS);
  expect(await publishing).toBe('published');
  const found = byId((hold) => hold.callId, await collect(under.gate.holds()));
  expect(found.size).toBe(OPEN_CALLS);
  for (const hold of holds) expect(found.get(hold.callId)).toMatchObject(hold);
  expect(byId((limits) => limits.accountId, await collect(under.gate.accounts()))).toEqual(
    byId((limits) => limits.accountId, accounts),
  );
});

test("the age of a hold is by Redis's own clock", async () => {
  const [limits] = accounts;
  const accountId = limits?.accountId ?? newAccountId();
  await under.gate.publish(await begunRebuild(under.gate), snapshotOf({ accounts: [limitsOf(accountId)] }));
  const before = await redisNowMs();
  const callId = newCallId();
  await under.gate.reserve({ callId, accountId, reservationId: newReservationId(), holdMicros: micros(1) });
  const after = await redisNowMs();
  const [found] = await collect(under.gate.holds());
  const walkedBy = await redisNowMs();
  expect(found?.ageMs).toBeGreaterThanOrEqual(0);
  expect(found?.ageMs).toBeLessThanOrEqual(walkedBy - before);
  const record = await under.redis.hget('{outdial}:holds', callId);
  const sinceMs = Number(record?.split(' ').at(-1));
  expect(sinceMs).toBeGreaterThanOrEqual(before);
  expect(sinceMs).toBeLessThanOrEqual(after);
});

test('a walk ends when the gate is closed or rebuilt during the walk', async () => {
  const ticket = await begunRebuild(under.gate);
  await under.gate.publish(ticket, snapshotOf({ accounts, holds }));
  const walk = under.gate.holds()[Symbol.asyncIterator]();
  expect((await walk.next()).done).toBe(false);
  const next = snapshotOf({ token: { generation: 2, walTimeline: '00000001' }, accounts, holds });
  await under.gate.publish(ticket, next);
  expect((await walk.next()).done).toBe(true);
});

async function redisNowMs(): Promise<number> {
  const [seconds, microseconds] = await under.redis.time();
  return Number(seconds) * 1_000 + Math.floor(Number(microseconds) / 1_000);
}
