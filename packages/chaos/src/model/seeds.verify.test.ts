import { privatePostgres, privateRedis, type PrivateServer } from '@outdial/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PROFILES } from './profiles.ts';
import { runSeed, type Verdict } from './run-seed.ts';
import { connect } from './world/create-world.ts';
import type { Connections } from './world/world.ts';

/** More seeds of your choice: `npm run chaos:model`. */
const SEEDS = Array.from({ length: 3 }, (_, index) => index + 100);
const LIMIT_MS = 600_000;

/** Own ones: as this process, they leave the processor to the faults that run at the same time. */
let servers: readonly PrivateServer[];
let connections: Connections;
beforeAll(async () => {
  const [redis, otherRedis, postgres] = await Promise.all([privateRedis(), privateRedis(), privatePostgres()]);
  servers = [redis, otherRedis, postgres];
  connections = await connect({ redisUrl: redis.url, otherRedisUrl: otherRedis.url, databaseUrl: postgres.url });
});
afterAll(async () => {
  await connections.close();
  for (const server of servers) await server.close();
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
