import type { TrunkAvailability, TrunkAvailabilityStore } from '@outdial/calls';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createWorld, type World } from '../../test/world.ts';
import { createTrunkAvailabilityStore } from './trunk-availability.ts';

let world: World;
let store: TrunkAvailabilityStore;
beforeAll(async () => {
  world = await createWorld();
  store = createTrunkAvailabilityStore(world.database);
});
beforeEach(() => world.database.side.$executeRaw`DELETE FROM trunk_outlooks`);
afterAll(() => world.close());

const out = (forMs: number, backInMs: number | null = null): TrunkAvailability => ({ kind: 'out', forMs, backInMs });

async function availabilityAfter(...of: readonly TrunkAvailability[]) {
  for (const [nth, availability] of of.entries()) await store.save(`worker ${nth}`, availability);
  return store.read();
}

test('without a SIP worker, availability is unknown', async () => {
  expect(await availabilityAfter()).toBeNull();
});

test('one worker with a trunk is enough', async () => {
  expect(await availabilityAfter({ kind: 'none' }, out(5_000), { kind: 'up' }, out(1_000))).toEqual({ kind: 'up' });
});

test('an outage starts when the last worker lost its trunks', async () => {
  const availability = await availabilityAfter(out(500_000), out(100_000, 20_000), { kind: 'none' });
  expect(availability?.kind === 'out' && availability.forMs).toBeGreaterThanOrEqual(100_000);
  expect(availability?.kind === 'out' && availability.forMs).toBeLessThan(400_000);
  expect(availability?.kind === 'out' && availability.backInMs).toBeLessThanOrEqual(20_000);
});

test('a worker’s report replaces its previous one', async () => {
  await availabilityAfter(out(1_000));
  expect(await availabilityAfter({ kind: 'none' })).toEqual({ kind: 'none' });
});

test('a worker that is gone does not count', async () => {
  await availabilityAfter({ kind: 'none' }, { kind: 'up' });
  await store.remove('worker 1');
  expect(await store.read()).toEqual({ kind: 'none' });
  await world.database.side.$executeRaw`UPDATE trunk_outlooks SET told_at = told_at - interval '1 minute'`;
  expect(await store.read()).toBeNull();
});
