import { carriedCall, describeTrunkEvidence, evidenceOf } from '@outdial/calls/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newTrunkName, trunkSettings } from '../../test/trunks.ts';
import { createWorld, type World } from '../../test/world.ts';
import { createAdministration, type Administration } from '../administration/administration.ts';
import { createTrunkEvidence } from './trunk-evidence.ts';

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
  return trunk;
}

describeTrunkEvidence('in Postgres', async () => ({
  one: createTrunkEvidence(world.database, { workerId: 'one' }),
  other: createTrunkEvidence(world.database, { workerId: 'other' }),
  addTrunk,
  removeTrunk: (trunk) => admin.trunks.remove(trunk),
  close: async () => undefined,
}));

test('old evidence is finally deleted, except for the last call that a trunk carried', async () => {
  const evidence = createTrunkEvidence(world.database, { workerId: 'one' });
  const trunk = await addTrunk();
  const last = carriedCall(trunk, 7_200_000);
  await evidence.add([evidenceOf(trunk, { ageMs: 7_200_000 }), carriedCall(trunk, 8_000_000), last]);
  await evidence.add([evidenceOf(await addTrunk())]);
  const { side } = world.database;
  expect(await side.$queryRaw`SELECT id::text FROM trunk_evidence WHERE trunk = ${trunk}`).toEqual([{ id: last.id }]);
});
