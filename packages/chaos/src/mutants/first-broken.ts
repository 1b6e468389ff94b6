// Started by `run-mutated.ts` from a bundle with the mutant's changes; writes its result to standard output.
import { z } from 'zod';
import { PROFILES, isProfileName } from '../model/profiles.ts';
import { runSeed } from '../model/run-seed.ts';
import { openStores } from '../model/stores/open-stores.ts';
import { connect } from '../model/world/create-world.ts';

const taskSchema = z.object({
  servers: z.object({ redisUrl: z.string(), databaseUrl: z.string() }),
  pair: z.number(),
  schema: z.enum(['copied', 'migrated']),
  profile: z.string().refine(isProfileName),
  from: z.number(),
  seeds: z.number(),
});

const { servers, pair, schema, profile, from, seeds } = taskSchema.parse(JSON.parse(process.argv[2] ?? ''));
const connections = await connect(await openStores(servers, pair, schema));
try {
  process.stdout.write(JSON.stringify(await firstBroken()));
} finally {
  await connections.close();
}

async function firstBroken() {
  for (let seed = from; seed < from + seeds; seed += 1) {
    const { violations } = await runSeed(connections, PROFILES[profile], seed);
    if (violations.length > 0) return { seed, violations };
  }
  return null;
}
