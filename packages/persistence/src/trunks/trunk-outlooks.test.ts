import type { TrunkAvailability, TrunkAvailabilityStore } from '@outdial/calls';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createWorld, type World } from '../../test/world.ts';
import { createTrunkOutlooks } from './trunk-outlooks.ts';

let world: World;
let outlooks: TrunkAvailabilityStore;
beforeAll(async () => {
  world = await createWorld();
  outlooks = createTrunkOutlooks(world.database);
});
beforeEach(() => world.database.side.$executeRaw`DELETE FROM trunk_outlooks`);
afterAll(() => world.close());

const out = (forMs: number, backInMs: number | null = null): TrunkAvailability => ({ kind: 'out', forMs, backInMs });

async function told(...of: readonly TrunkAvailability[]) {
  for (const [nth, outlook] of of.entries()) await outlooks.save(`worker ${nth}`, outlook);
  return outlooks.read();
}

test('where no worker over trunks runs, nothing is known', async () => {
  expect(await told()).toBeNull();
});

test('one worker that has a trunk is enough', async () => {
  expect(await told({ kind: 'none' }, out(5_000), { kind: 'up' }, out(1_000))).toEqual({ kind: 'up' });
});

test('an outage is as old as that of the worker that lost its trunks last', async () => {
  const outlook = await told(out(500_000), out(100_000, 20_000), { kind: 'none' });
  expect(outlook?.kind === 'out' && outlook.forMs).toBeGreaterThanOrEqual(100_000);
  expect(outlook?.kind === 'out' && outlook.forMs).toBeLessThan(400_000);
  expect(outlook?.kind === 'out' && outlook.backInMs).toBeLessThanOrEqual(20_000);
});

test('what a worker tells takes the place of what it told before', async () => {
  await told(out(1_000));
  expect(await told({ kind: 'none' })).toEqual({ kind: 'none' });
});

test('a worker that is gone counts no more', async () => {
  await told({ kind: 'none' }, { kind: 'up' });
  await outlooks.remove('worker 1');
  expect(await outlooks.read()).toEqual({ kind: 'none' });
  await world.database.side.$executeRaw`UPDATE trunk_outlooks SET told_at = told_at - interval '1 minute'`;
  expect(await outlooks.read()).toBeNull();
});
