import { createDatabase } from '@outdial/persistence';
import { AdmissionWatch } from '../check/admissions.ts';
import { AlwaysCheck } from '../check/always.ts';
import { LineShares } from '../check/line-shares.ts';
import { Promises } from '../check/promises.ts';
import { createApi } from '../processes/api.ts';
import { openAccounts } from '../processes/fixtures.ts';
import { linesOf } from '../processes/model-lines.ts';
import { createWorker } from '../processes/worker.ts';
import type { Profile } from '../profile.ts';
import { RedisCluster } from '../stores/redis-cluster.ts';
import { SimulatedPostgres } from '../stores/simulated-postgres.ts';
import { Campaigns } from './campaigns.ts';
import { WorldClock } from './clock.ts';
import { SilentConversations } from './conversations.ts';
import { idSequence } from './id-sequence.ts';
import { ModelUsage } from './model-usage.ts';
import { OptOuts } from './opt-outs.ts';
import { Policies } from './policies.ts';
import type { Process } from './process.ts';
import { TelephoneNetwork } from './telephone-network.ts';
import { Wire } from './wire.ts';
import type { Connections, StoreUrls, World } from './world.ts';

export async function connect({ redisUrl, otherRedisUrl, databaseUrl }: StoreUrls): Promise<Connections> {
  const clock = new WorldClock();
  const postgres = new SimulatedPostgres(databaseUrl, clock);
  await postgres.open();
  const redis = new RedisCluster(redisUrl, otherRedisUrl, clock);
  const patience = { queryTimeoutMs: 60_000, connectTimeoutMs: 60_000 };
  const database = createDatabase({
    url: databaseUrl,
    poolSize: 1,
    readPoolSize: 1,
    keepsStatements: true,
    ...patience,
  });
  return {
    clock,
    postgres,
    redis,
    database,
    async close() {
      redis.close();
      await Promise.all([postgres.client.end(), database.close()]);
    },
  };
}

export async function createWorld(connections: Connections, profile: Profile): Promise<World> {
  const { clock, postgres, redis } = connections;
  clock.reset();
  await postgres.reset();
  await redis.reset();
  const ids = idSequence();
  const parties = await openAccounts(postgres.client, profile, ids);
  await postgres.setKinds(profile.kinds.map((kind) => kind?.driver ?? null));
  for (const [index, percent] of (profile.campaigns?.percents ?? []).entries()) {
    const party = parties[index];
    if (party) await postgres.setCampaignPercent(party.accountId, percent);
  }
  if (profile.losesCommits) await postgres.replicate();
  const promises = new Promises();
  const conversations = new SilentConversations();
  const parts: Omit<World, 'check'> = {
    ...connections,
    profile,
    ids,
    parties,
    wire: new Wire(),
    network: new TelephoneNetwork(clock),
    conversations,
    usage: new ModelUsage(conversations),
    optOuts: new OptOuts({ clock, postgres, conversations }),
    policies: new Policies(clock, postgres),
    campaigns: new Campaigns({ ...connections, promises, ids, losesCommits: profile.losesCommits }),
    promises,
    shares: new LineShares(clock, promises, linesOf(profile)),
    admissions: new AdmissionWatch({ clock, postgres, promises }),
    askedLater: new Map(),
    apis: [],
    workers: [],
    started: 0,
  };
  const world: World = Object.assign(parts, { check: new AlwaysCheck(parts) });
  for (let count = 0; count < profile.apis; count += 1) world.apis.push(createApi(world));
  for (let count = 0; count < profile.workers; count += 1) world.workers.push(createWorker(world, count));
  return world;
}

export function processesOf({ apis, workers }: World): readonly Process[] {
  return [...apis, ...workers].map(({ process }) => process);
}

/** Kills the process and starts another one instead. */
export function replace(world: World, process: Process): void {
  process.state = 'gone';
  world.wire.disconnect(process);
  const api = world.apis.findIndex((one) => one.process === process);
  if (api >= 0) world.apis[api] = createApi(world);
  const worker = world.workers.findIndex((one) => one.process === process);
  if (worker >= 0) world.workers[worker] = createWorker(world, worker);
}
