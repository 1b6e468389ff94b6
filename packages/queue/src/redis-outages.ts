import type { WatchedStore } from '@outdial/kernel';
import type { Redis } from 'ioredis';
import { isRedisAway } from './redis-away.ts';

/** Under the hash tag of the gate, as an access list may allow nothing else. No value is ever stored there. */
const PING_KEY = '{outdial}:ping';

/** What the log says of Redis going away and coming back. `ping` rejects unless every connection stands. */
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
export async function pingForWriting(redis: Redis): Promise<void> {
  await redis.del(PING_KEY);
}
