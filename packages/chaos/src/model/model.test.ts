import { testStores, type TestStores } from '@outdial/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PROFILES } from './profiles.ts';
import { runSeed } from './run-seed.ts';
import { connect } from './world/create-world.ts';
import type { Connections } from './world/world.ts';

let stores: readonly [TestStores, TestStores];
let connections: Connections;
beforeAll(async () => {
  stores = [await testStores(), await testStores()];
  const [{ redisUrl, databaseUrl }, { redisUrl: otherRedisUrl }] = stores;
  connections = await connect({ redisUrl, otherRedisUrl, databaseUrl });
});
afterAll(async () => {
  await connections.close();
  for (const one of stores) await one.close();
});

const LIMIT = { timeout: 120_000 };

/** Until one has a call: a schedule without any has proved nothing. `npm run verify` runs more schedules. */
const SEEDS = [5, 4, 6];

/** One for each part of the protocol; `npm run verify` runs every profile. */
const WORLDS = [
  PROFILES.everything,
  PROFILES.rebuilds,
  PROFILES.out_of_funds,
  PROFILES.models,
  PROFILES.full_lines,
  PROFILES.orphans,
  PROFILES.schedules_without_stores,
  PROFILES.suppressed_trunks,
  PROFILES.policed_trunks,
  PROFILES.capped,
  PROFILES.campaigns,
  PROFILES.lossy_postgres,
];

test.for(WORLDS)('whatever crashes in a world of $name, every promise is kept', LIMIT, async (profile) => {
  let calls = 0;
  for (const seed of SEEDS) {
    const verdict = await runSeed(connections, profile, seed);
    expect(verdict.violations).toEqual([]);
    calls = verdict.calls;
    if (calls > 0) break;
  }
  expect(calls).toBeGreaterThan(0);
});

test('a seed gives the same schedule and the same outcome each time', LIMIT, async () => {
  const first = await runSeed(connections, PROFILES.everything, 3);
  expect(await runSeed(connections, PROFILES.everything, 3)).toEqual(first);
});
