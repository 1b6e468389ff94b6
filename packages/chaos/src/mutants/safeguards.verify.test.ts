import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { privatePostgres, privateRedis, testStores, type PrivateServer } from '@outdial/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DRILLS } from '../drills/drills.ts';
import type { Profile } from '../model/profile.ts';
import { PROFILES } from '../model/profiles.ts';
import { runSeed, type Verdict } from '../model/run-seed.ts';
import { connect } from '../model/world/create-world.ts';
import type { Connections } from '../model/world/world.ts';
import type { Proof } from './mutant.ts';
import { MUTANTS } from './mutants.ts';
import { applyPatch, ROOT_DIR } from './patch.ts';

/** Of each world, at least. More seeds of your choice: `npm run chaos:model`. */
const SCHEDULES = 3;
/** For worlds with fewer seeds of mutants. */
const OTHER_SEEDS = Array.from({ length: SCHEDULES }, (_, index) => index + 100);
const LIMIT_MS = 600_000;

/** Own ones: as this process, they leave the processor to the tests that run at the same time. */
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

/** By seed: one schedule may bring several safeguards to their moments, and gives the same outcome each time. */
const verdicts = new Map<string, Promise<Verdict>>();

function verdictOf(profile: Profile, seed: number): Promise<Verdict> {
  const key = `${profile.name} ${seed}`;
  const verdict = verdicts.get(key) ?? runSeed(connections, profile, seed);
  verdicts.set(key, verdict);
  return verdict;
}

/** Those that mutants name come first, since their schedules run anyway. */
function seedsOf(name: string): readonly number[] {
  const named = Object.values(MUTANTS).flatMap((proof) =>
    proof.drill === undefined && proof.profile === name ? [proof.seed] : [],
  );
  const seeds = [...new Set(named)];
  return [...seeds, ...OTHER_SEEDS.slice(0, Math.max(0, SCHEDULES - seeds.length))];
}

test.for(Object.values(PROFILES))(
  'in each schedule of a world of $name every promise is kept',
  { timeout: LIMIT_MS },
  async (profile) => {
    const played: Verdict[] = [];
    for (const seed of seedsOf(profile.name)) played.push(await verdictOf(profile, seed));
    const broken = played.filter(({ violations }) => violations.length > 0);
    expect(broken.map(({ seed, violations }) => ({ seed, violations }))).toEqual([]);
    expect(played.length).toBeGreaterThanOrEqual(SCHEDULES);
    expect(played.some(({ calls }) => calls > 0)).toBe(true);
  },
);

// Each fails at this seed once its safeguard is removed: `npm run chaos:mutants` shows it.
test.for(Object.values(MUTANTS))('$guarantee', { timeout: LIMIT_MS }, async (proof) => {
  expect(await violationsOf(proof)).toEqual([]);
});

async function violationsOf(proof: Proof): Promise<readonly unknown[]> {
  if (proof.drill === undefined) return (await verdictOf(PROFILES[proof.profile], proof.seed)).violations;
  const own = await testStores();
  const violations = await DRILLS[proof.drill](own.databaseUrl);
  await own.close();
  return violations;
}

test.for(Object.entries(MUTANTS))('the safeguard is where the mutant removes it: %s', async ([, { patches }]) => {
  for (const patch of patches) {
    const text = await readFile(join(ROOT_DIR, patch.file), 'utf8');
    expect(applyPatch(text, patch)).not.toBe(text);
  }
});
