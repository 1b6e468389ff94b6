import type { LiveTurn } from '@outdial/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, newCallId, settlementOf, type World } from '../../test/world.ts';
import { createTurnReader } from './turn-reader.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const turnOf = (index: number): LiveTurn => ({
  index,
  replaces: [],
  role: 'callee',
  text: `turn ${index}`,
  start_ms: index,
  end_ms: index + 1,
  source: 'stt',
  interrupted: false,
});

async function spoken(count: number) {
  const call = await world.claimed(await world.party());
  const turns = Array.from({ length: count }, (_, index) => turnOf(index));
  await world.drives.renewLease({ callId: call.id, epoch: call.epoch, leaseMs: 60_000, turns });
  return call;
}

test('many calls are read in one query, each from its own position, omitting those without new turns', async () => {
  const [some, none, all] = [await spoken(3), await spoken(2), await spoken(12)];
  const read = await createTurnReader(world.database).readFrom([
    { callId: some.id, fromIndex: 1 },
    { callId: none.id, fromIndex: 2 },
    { callId: all.id, fromIndex: 0 },
    { callId: newCallId(), fromIndex: 0 },
  ]);
  expect(read.get(some.id)).toEqual([turnOf(1), turnOf(2)]);
  expect(read.get(all.id)?.map(({ index }) => index)).toEqual(Array.from({ length: 12 }, (_, index) => index));
  expect(read.size).toBe(2);
});

test('a settlement replaces what the renewals stored by its transcript', async () => {
  const call = await spoken(2);
  const { index: _index, replaces: _replaces, ...turn } = turnOf(0);
  await world.drives.settle(settlementOf(call, { transcript: [turn] }));
  expect(await createTurnReader(world.database).readFrom([{ callId: call.id, fromIndex: 0 }])).toEqual(new Map());
  expect(await world.reader.find(call.accountId, call.id)).toMatchObject({ status: 'ended', transcript: [turn] });
});
