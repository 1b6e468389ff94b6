import type { WatchedStore } from '@outdial/kernel';
import { DEFAULT_QUEUE_PREFIX } from './keys.ts';
import { isRedisAway } from './redis-away.ts';
import type { RedisClient } from './redis-client.ts';

/**
 * Under the hash tags of gate and queue: an access list may allow nothing else, and in a cluster two nodes may have them.
 * No value is ever stored there.
 */
const PING_KEYS = ['{outdial}:ping', `${DEFAULT_QUEUE_PREFIX}:ping`];

/** The log messages for outages of Redis. `ping` rejects unless every connection works. */
export function watchedRedis(connections: { ping(): Promise<unknown> }): WatchedStore {
  return {
    messages: { away: 'Redis is away', back: 'Redis is back' },
    isAway: isRedisAway,
    ping: () => connections.ping(),
  };
}

/**
 * Rejects unless Redis takes writes now: a demoted server answers PING like any other. Deletes a key that never exists,
 * which needs no memory, so that a full Redis still answers.
 */
export async function pingForWriting(redis: RedisClient): Promise<void> {
  await Promise.all(PING_KEYS.map((key) => redis.del(key)));
}
