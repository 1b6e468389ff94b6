// Started by `run-mutated.ts` from a bundle with the mutant's changes; writes its result to standard output.
import { z } from 'zod';
import { DRILLS, isDrillName, type DrillName } from '../drills/drills.ts';
import { PROFILES, isProfileName } from '../model/profiles.ts';
import { runSeed } from '../model/run-seed.ts';
import { openStores } from '../model/stores/open-stores.ts';
import { connect } from '../model/world/create-world.ts';
import type { StoreUrls } from '../model/world/world.ts';
import type { Broken } from './run-mutated.ts';

const seedsSchema = z.object({ profile: z.string().refine(isProfileName), from: z.number(), seeds: z.number() });
const taskSchema = z.object({
  servers: z.object({ redisUrl: z.string(), databaseUrl: z.string() }),
  pair: z.number(),
  schema: z.enum(['copied', 'migrated']),
  proof: z.union([seedsSchema, z.object({ drill: z.string().refine(isDrillName) })]),
});

const { servers, pair, schema, proof } = taskSchema.parse(JSON.parse(process.argv[2] ?? ''));
const stores = await openStores(servers, pair, schema);
const broken = 'drill' in proof ? await brokenBy(stores, proof.drill) : await firstBroken(stores, proof);
process.stdout.write(JSON.stringify(broken));

async function firstBroken(
  urls: StoreUrls,
  { profile, from, seeds }: z.output<typeof seedsSchema>,
): Promise<Broken | null> {
  const connections = await connect(urls);
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

async function brokenBy({ databaseUrl }: StoreUrls, drill: DrillName): Promise<Broken | null> {
  const violations = await DRILLS[drill](databaseUrl);
  return violations.length === 0
    ? null
    : { proof: drill, violations: violations.map((promise) => ({ promise, detail: '' })) };
}
