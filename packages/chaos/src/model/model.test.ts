import { testStores, type TestStores } from '@outdial/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PROFILES } from './profiles.ts';
import { runSeed, type Verdict } from './run-seed.ts';
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

test.for(Object.values(PROFILES))(
  'whatever crashes in a world of $name, every promise is kept',
  LIMIT,
  async (profile) => {
    const verdicts: Verdict[] = [];
    for (const seed of [4, 5, 6]) verdicts.push(await runSeed(connections, profile, seed));
    expect(verdicts.flatMap(({ violations }) => violations)).toEqual([]);
    // A schedule without any call has proved nothing.
    expect(verdicts.some(({ calls }) => calls > 0)).toBe(true);
  },
);

test('a seed gives the same schedule and the same outcome each time', LIMIT, async () => {
  const first = await runSeed(connections, PROFILES.everything, 3);
  expect(await runSeed(connections, PROFILES.everything, 3)).toEqual(first);
});
