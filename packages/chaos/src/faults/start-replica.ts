import { privateRedis } from '@outdial/testkit';
import { Redis } from 'ioredis';
import type { Stack } from '../stack/stack.ts';
import { PATIENCE_MS, until } from './observe.ts';

/** Another Redis that replicates the one in use, with the same password. */
export interface Replica {
  readonly url: string;
  /** Makes it accept writes. */
  promote(): Promise<void>;
  close(): Promise<void>;
}

/** Resolves once the replica is in sync. */
export async function startReplica(stack: Stack): Promise<Replica> {
  const server = await privateRedis();
  const primary = new URL(stack.redisServer.url);
  const url = new URL(server.url);
  url.password = primary.password;
  const redis = new Redis(server.url);
  redis.on('error', () => undefined);
  await redis.config('SET', 'masterauth', primary.password);
  await redis.config('SET', 'requirepass', primary.password);
  await redis.replicaof(primary.hostname, primary.port);
  await untilInSync(redis);
  return {
    url: url.href,
    promote: async () => void (await redis.replicaof('NO', 'ONE')),
    async close() {
      redis.disconnect();
      await server.close();
    },
  };
}

export async function untilInSync(replica: Redis): Promise<void> {
  await until('the replica has everything', PATIENCE_MS, async () =>
    (await replica.info('replication')).includes('master_link_status:up'),
  );
}
