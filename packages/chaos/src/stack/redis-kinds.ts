import { unreachable } from '@outdial/kernel';
import { connectPatiently, type RedisClient } from '@outdial/queue';
import {
  privateHaproxyOfRedis,
  privateRedis,
  privateRedisCluster,
  privateRedisSentinels,
  type PrivateRedisCluster,
  type PrivateSentinels,
  type PrivateServer,
} from '@outdial/testkit';
import { Redis } from 'ioredis';

/** What the product's `REDIS_URL` names. */
export type RedisKind = 'server' | 'sentinels' | 'behind-haproxy' | 'cluster';

/** The Redis of a stack. */
export interface StackRedis {
  /** The one server, or the primary with the gate at the start. */
  readonly first: PrivateServer;
  readonly servers: readonly PrivateServer[];
  /** Of the processes. Undefined: each reaches the one server through its own proxy. */
  readonly direct: Readonly<Record<string, string>> | undefined;
  readonly sentinels: PrivateSentinels | undefined;
  readonly cluster: PrivateRedisCluster | undefined;
  /** A connection of ours. */
  connect(): RedisClient;
  close(): Promise<void>;
}

/** What the guide for operators recommends. */
export const SENTINEL_DOWN_AFTER_MS = 3_000;
export const CLUSTER_NODE_TIMEOUT_MS = 2_000;

export async function openRedis(kind: RedisKind): Promise<StackRedis> {
  switch (kind) {
    case 'server': {
      const server = await privateRedis({ profile: 'durable' });
      const connect = () => connectTo(server.url);
      const none = { direct: undefined, sentinels: undefined, cluster: undefined };
      return { first: server, servers: [server], ...none, connect, close: () => server.close() };
    }
    case 'sentinels': {
      const group = await privateRedisSentinels({ downAfterMs: SENTINEL_DOWN_AFTER_MS });
      const { url, sentinelPassword } = group;
      return {
        first: firstOf(group.nodes),
        servers: [...group.nodes, ...group.sentinels],
        direct: { REDIS_URL: url, OUTDIAL_SENTINEL_PASSWORD: sentinelPassword },
        sentinels: group,
        cluster: undefined,
        connect: () => quiet(connectPatiently({ url, sentinelPassword })),
        close: () => group.close(),
      };
    }
    case 'behind-haproxy': {
      const group = await privateRedisSentinels({ downAfterMs: SENTINEL_DOWN_AFTER_MS });
      const { password } = new URL(firstOf(group.nodes).url);
      const hosts = group.nodes.map(({ url: node }) => new URL(node).host);
      const proxy = await privateHaproxyOfRedis(hosts, password);
      const url = `redis://:${password}@127.0.0.1:${proxy.port}/0`;
      return {
        first: firstOf(group.nodes),
        servers: [...group.nodes, ...group.sentinels],
        direct: { REDIS_URL: url },
        sentinels: group,
        cluster: undefined,
        connect: () => quiet(connectPatiently(url)),
        close: async () => void (await Promise.all([group.close(), proxy.close()])),
      };
    }
    case 'cluster': {
      const group = await privateRedisCluster({ withReplicas: true, nodeTimeoutMs: CLUSTER_NODE_TIMEOUT_MS });
      return {
        first: firstOf(group.primaries),
        servers: [...group.primaries, ...group.replicas],
        direct: { REDIS_URL: group.url },
        sentinels: undefined,
        cluster: group,
        connect: () => quiet(connectPatiently(group.url)),
        close: () => group.close(),
      };
    }
    default:
      return unreachable(kind);
  }
}

/** To one server, without the product's code. */
export function connectTo(redisUrl: string): Redis {
  return quiet(new Redis(redisUrl, { maxRetriesPerRequest: 1, commandTimeout: 2_000 }));
}

function quiet<Client extends RedisClient>(redis: Client): Client {
  redis.on('error', () => undefined);
  return redis;
}

function firstOf(servers: readonly PrivateServer[]): PrivateServer {
  const [server] = servers;
  if (server === undefined) throw new Error('a group has a first server');
  return server;
}
