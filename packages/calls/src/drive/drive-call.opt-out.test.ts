import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DriveWorld, pass } from '../../test/drive-world.ts';
import { LEASE_MS, LEASE_RENEWAL_MS } from '../lease.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const BY_KEY = { evidence: 'key', note: null } as const;
const optOut = (world: DriveWorld) => world.conversation.emit({ kind: 'opt_out', ...BY_KEY });
const writes = (world: DriveWorld) => world.store.asked.filter((verb) => verb === 'opt_out').length;

test('an opt-out is stored at once, while the call goes on, and the settlement carries it again', async () => {
  const world = new DriveWorld();
  const { leg, driving } = await world.answer();
  optOut(world);
  await pass(0);
  expect(world.store.optOutStored).toEqual(BY_KEY);
  expect(leg.hangUps).toBe(0);
  world.conversation.emit({ kind: 'hang_up', reason: 'opted_out' });
  leg.end({ outcome: 'completed', by: 'us' });
  await driving;
  expect(world.settlement).toMatchObject({ reason: 'opted_out', optOut: BY_KEY, charge: { billableSeconds: 60 } });
});

test('an opt-out is stored once, however often it is reported', async () => {
  const world = new DriveWorld();
  const { leg, driving } = await world.answer();
  optOut(world);
  world.conversation.emit({ kind: 'opt_out', evidence: 'tool', note: 'again' });
  await pass(0);
  expect(writes(world)).toBe(1);
  leg.end({ outcome: 'completed' });
  await driving;
  expect(world.settlement.optOut).toEqual(BY_KEY);
});

test('an opt-out while Postgres is away is stored once it is back, during the call', async () => {
  const world = new DriveWorld();
  const { leg, driving } = await world.answer();
  world.store.away = true;
  optOut(world);
  await pass(LEASE_RENEWAL_MS);
  expect(world.store.optOutStored).toBeUndefined();
  expect(writes(world)).toBeGreaterThan(1);
  world.store.away = false;
  await pass(6_000);
  expect(world.store.optOutStored).toEqual(BY_KEY);
  leg.end({ outcome: 'completed' });
  await driving;
});

test('an opt-out while Postgres is away until after the end is stored by the settlement', async () => {
  const world = new DriveWorld();
  const { leg, driving } = await world.answer();
  world.store.away = true;
  optOut(world);
  await pass(1_000);
  leg.end({ outcome: 'completed' });
  await pass(10_000);
  expect(world.store.optOutStored).toBeUndefined();
  world.store.away = false;
  await pass(6_000);
  await driving;
  expect(world.store.optOutStored).toEqual(BY_KEY);
});

test('an opt-out that another worker’s end of the call comes before is stored all the same', async () => {
  const world = new DriveWorld();
  const { driving } = await world.answer();
  world.store.away = true;
  optOut(world);
  await pass(LEASE_MS + 1_000);
  // Another worker reaches Postgres, and takes the call over.
  world.store.epoch += 1;
  world.store.away = false;
  await pass(6_000);
  await driving;
  expect(world.store.settlements).toHaveLength(0);
  expect(world.store.optOutStored).toEqual(BY_KEY);
  expect(world.driver.liveCalls()).toBe(0);
});

test('a callee who opts out and hangs up during the confirmation has opted out', async () => {
  const world = new DriveWorld();
  const { leg, driving } = await world.answer();
  optOut(world);
  leg.end({ outcome: 'completed', by: 'callee' });
  await driving;
  expect(world.settlement).toMatchObject({ reason: 'callee_hangup', optOut: BY_KEY });
  expect(world.store.optOutStored).toEqual(BY_KEY);
});

test('a call without an opt-out settles without one', async () => {
  const world = new DriveWorld();
  const { leg, driving } = await world.answer();
  leg.end({ outcome: 'completed' });
  await driving;
  expect(world.settlement.optOut).toBeUndefined();
  expect(writes(world)).toBe(0);
});
