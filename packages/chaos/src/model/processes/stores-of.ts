import type { CallQueue } from '@outdial/calls';
import { createLogger } from '@outdial/kernel';
import type { Database } from '@outdial/persistence';
import { createGate } from '@outdial/reservations';
import type { Redis } from 'ioredis';
import { databaseLink } from '../stores/database-link.ts';
import { redisLink } from '../stores/redis-link.ts';
import type { Process } from '../world/process.ts';
import type { World } from '../world/world.ts';

export const SILENT = createLogger({ name: 'model', level: 'silent' });

/** A process's access to the stores: the product's own gate and database, each behind the wire. */
export interface StoresOf {
  readonly redis: Redis;
  readonly database: Database;
  readonly gate: ReturnType<typeof createGate>;
  readonly queue: CallQueue;
}

export function storesOf(world: World, process: Process): StoresOf {
  const { wire, postgres, promises } = world;
  const reach = () => world.redis.reachedBy(process.name);
  const redis = redisLink({
    reach,
    send: (what, run) => wire.send(process, 'redis', what, run),
    onScript: (what, args) => promises.asked(what, args),
    onReply: async (script) => {
      if (script.redis === world.redis.main) await world.shares.ran(script);
    },
  });
  const database = databaseLink({
    wire,
    process,
    database: world.database,
    postgres,
    around: (statement, run) => world.admissions.around(statement, () => world.campaigns.watch.around(statement, run)),
    onRefused: (reason) => promises.violate('schema rule', reason),
  });
  return { redis, database, gate: createGate({ redis }), queue: queueOf(world, process) };
}

/** A transport that may deliver twice and loses its jobs with its Redis; the jobs lie in the current primary. */
function queueOf({ wire, redis }: World, process: Process): CallQueue {
  return {
    add: (callIds) =>
      wire.send(process, 'redis', 'add jobs', async () => {
        const { jobs } = redis.reachedBy(process.name);
        for (const callId of callIds) if (!jobs.has(callId)) jobs.set(callId, 'waiting');
      }),
    missing: (callIds) =>
      wire.send(process, 'redis', 'look for jobs', async () => {
        const { jobs } = redis.reachedBy(process.name);
        return callIds.filter((callId) => !jobs.has(callId));
      }),
  };
}
