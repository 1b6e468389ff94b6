import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { testStores, type TestStores } from '@outdial/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DRILLS } from '../drills/drills.ts';
import { PROFILES } from '../model/profiles.ts';
import { runSeed, type Verdict } from '../model/run-seed.ts';
import { connect } from '../model/world/create-world.ts';
import type { Connections } from '../model/world/world.ts';
import type { Proof } from './mutant.ts';
import { MUTANTS } from './mutants.ts';
import { applyPatch, ROOT_DIR } from './patch.ts';

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

// Each fails at this seed once its safeguard is removed: `npm run chaos:mutants` shows it.
test.for(Object.values(MUTANTS))('$guarantee', { timeout: 120_000 }, async (proof) => {
  expect(await violationsOf(proof)).toEqual([]);
});

/** By seed: one schedule may bring several safeguards to their moments, and gives the same outcome each time. */
const verdicts = new Map<string, Promise<Verdict>>();

async function violationsOf(proof: Proof): Promise<readonly unknown[]> {
  if (proof.drill === undefined) {
    const { profile, seed } = proof;
    const verdict = verdicts.get(`${profile} ${seed}`) ?? runSeed(connections, PROFILES[profile], seed);
    verdicts.set(`${profile} ${seed}`, verdict);
    return (await verdict).violations;
  }
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
