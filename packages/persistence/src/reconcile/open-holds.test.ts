import type { GateHold, HoldPosition } from '@outdial/calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { beginSecondLeg } from '../../test/second-leg.ts';
import { createWorld, settlementOf, type World } from '../../test/world.ts';
import { createHoldReader } from './open-holds.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

test.each([1, 2, 1_000])('pages of %i have each open call of each account once, and no other', async (limit) => {
  const parties = await Promise.all([world.party(), world.party(), world.party()]);
  const expected: string[] = [];
  for (const party of parties) {
    for (let call = 0; call < 3; call += 1) expected.push((await world.queued(party)).id);
    expected.push((await world.claimed(party)).id);
    await world.drives.settle(settlementOf(await world.claimed(party)));
    await world.scheduled(party);
  }
  const reader = createHoldReader(world.database);
  const found: GateHold[] = [];
  let after: HoldPosition | null = null;
  do {
    const position: HoldPosition | null = after;
    const page = await reader.openHolds(position, limit);
    expect(page.holds.length).toBeLessThanOrEqual(limit);
    found.push(...page.holds);
    after = page.next;
  } while (after !== null);
  const accounts = new Set<string>(parties.map(({ accountId }) => accountId));
  const own = found.filter(({ accountId }) => accounts.has(accountId));
  expect(own.map(({ callId }) => callId).toSorted()).toEqual(expected.toSorted());
  for (const { callId, reservationId } of own) expect(await world.reservationOf(callId)).toBe(reservationId);
  expect(new Set(found.map(({ callId }) => callId)).size).toBe(found.length);
});

test('the hold of a second leg is one of the others, until its call ends', async () => {
  const reader = createHoldReader(world.database);
  const call = await world.claimed(await world.party());
  const { legId, reservationId, holdMicros } = await beginSecondLeg(world, call, 7_000);
  const own = async () => (await reader.otherHolds()).filter(({ callId }) => callId === legId);
  expect(await own()).toEqual([{ callId: legId, accountId: call.accountId, reservationId, holdMicros }]);
  await world.drives.settle(settlementOf(call));
  expect(await own()).toEqual([]);
});
