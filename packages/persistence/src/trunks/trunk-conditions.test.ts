import type { TrunkState } from '@outdial/calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newTrunkName, trunkSettings } from '../../test/trunks.ts';
import { createWorld, type World } from '../../test/world.ts';
import { createAdministration, type Administration } from '../administration/administration.ts';
import { createTrunkConditions } from './trunk-conditions.ts';

let world: World;
let admin: Administration;
beforeAll(async () => {
  world = await createWorld();
  admin = createAdministration(world.database, { actor: 'ops' });
});
afterAll(() => world.close());

async function addTrunk() {
  const trunk = newTrunkName();
  await admin.trunks.add({ name: trunk, ...trunkSettings(), credentials: null });
  const conditions = createTrunkConditions(world.database);
  const report = (workerId: string, state: TrunkState, detail: string | null = null) =>
    conditions.save(workerId, [{ trunk, state, detail }]);
  return { trunk, conditions, report };
}

test('a trunk is shown with the latest report of each worker', async () => {
  const { trunk, report } = await addTrunk();
  await report('two', 'up');
  await report('one', 'up');
  await report('one', 'unreachable', 'no answer to OPTIONS');
  const { health } = await admin.trunks.show(trunk);
  expect(health).toEqual([
    {
      workerId: 'one',
      state: 'unreachable',
      detail: 'no answer to OPTIONS',
      reportedAtMs: expect.toSatisfy((ms: number) => Math.abs(ms - Date.now()) < 10_000),
    },
    expect.objectContaining({ workerId: 'two', state: 'up', detail: null }),
  ]);
  expect((await admin.trunks.list()).find(({ name }) => name === trunk)?.health).toEqual(health);
});

test('a report older than a minute is hidden, and finally deleted', async () => {
  const { trunk, report } = await addTrunk();
  await report('gone', 'up');
  await report('here', 'up');
  const { side } = world.database;
  await side.$executeRaw`UPDATE trunk_health SET told_at = now() - interval '2 hours' WHERE worker_id = 'gone' AND trunk = ${trunk}`;
  expect((await admin.trunks.show(trunk)).health.map(({ workerId }) => workerId)).toEqual(['here']);
  await report('here', 'up');
  expect(await side.$queryRaw`SELECT worker_id FROM trunk_health WHERE trunk = ${trunk}`).toEqual([
    { worker_id: 'here' },
  ]);
});

test('a report on a trunk that was removed is dropped', async () => {
  const { trunk, conditions, report } = await addTrunk();
  const { trunk: other } = await addTrunk();
  await report('one', 'up');
  await admin.trunks.remove(trunk);
  await conditions.save('one', [
    { trunk, state: 'up', detail: null },
    { trunk: other, state: 'congested', detail: '503' },
  ]);
  expect((await admin.trunks.show(other)).health).toMatchObject([{ state: 'congested', detail: '503' }]);
});
