import type { Cluster, Redis } from 'ioredis';

/** A connection from this package: to one server, to the primary that Sentinels name, or to a cluster. */
export type RedisClient = Redis | Cluster;

/**
 * Calls the listener for each lost connection. A cluster goes on without one of its nodes, which may be the one with the
 * gate or the queue.
 */
export function onConnectionLost(redis: RedisClient, listener: () => void): void {
  redis.on('close', listener);
  if (redis.isCluster) redis.on('-node', listener);
}
