import { testStores, type TestStores } from '@outdial/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PROFILES } from './profiles.ts';
import { runSeed, type Verdict } from './run-seed.ts';
import { connect } from './world/create-world.ts';
import type { Connections } from './world/world.ts';

/** More seeds of your choice: `npm run chaos:model`. */
const SEEDS = Array.from({ length: 17 }, (_, index) => index + 100);
const LIMIT_MS = 600_000;

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

test.for(Object.values(PROFILES))(
  `in ${SEEDS.length} schedules of a world of $name every promise is kept`,
  { timeout: LIMIT_MS },
  async (profile) => {
    const verdicts: Verdict[] = [];
    for (const seed of SEEDS) verdicts.push(await runSeed(connections, profile, seed));
    const broken = verdicts.filter(({ violations }) => violations.length > 0);
    expect(broken.map(({ seed, violations }) => ({ seed, violations }))).toEqual([]);
    expect(verdicts.some(({ calls }) => calls > 0)).toBe(true);
  },
);
