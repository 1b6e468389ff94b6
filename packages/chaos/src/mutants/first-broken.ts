// Bundled with a mutant's changes by `mutated-program.ts`, and loaded by `run-programs.mjs`.
import { z } from 'zod';
import { DRILLS, isDrillName } from '../drills/drills.ts';
import { PROFILES, isProfileName } from '../model/profiles.ts';
import { runSeed } from '../model/run-seed.ts';
import { connect } from '../model/world/create-world.ts';
import type { StoreUrls } from '../model/world/world.ts';
import type { Broken } from './task.ts';

const seedsSchema = z.object({ profile: z.string().refine(isProfileName), from: z.number(), seeds: z.number() });
const taskSchema = z.object({
  stores: z.object({ redisUrl: z.string(), otherRedisUrl: z.string(), databaseUrl: z.string() }),
  proof: z.union([seedsSchema, z.object({ drill: z.string().refine(isDrillName) })]),
});

/** Runs a `Task`. Null if no promise broke. */
export async function firstBroken(task: unknown): Promise<Broken | null> {
  const { stores, proof } = taskSchema.parse(task);
  if (!('drill' in proof)) return brokenOf(stores, proof);
  const violations = await DRILLS[proof.drill](stores.databaseUrl);
  if (violations.length === 0) return null;
  return { proof: proof.drill, violations: violations.map((promise) => ({ promise, detail: '' })) };
}

async function brokenOf(
  stores: StoreUrls,
  { profile, from, seeds }: z.output<typeof seedsSchema>,
): Promise<Broken | null> {
  const connections = await connect(stores);
  try {
    for (let seed = from; seed < from + seeds; seed += 1) {
      const { violations } = await runSeed(connections, PROFILES[profile], seed);
      if (violations.length > 0) return { proof: `${profile} ${seed}`, violations };
    }
    return null;
  } finally {
    await connections.close();
  }
}
