import type { WatchedStore } from '@outdial/kernel';
import { isRedisAway } from './redis-away.ts';

/** What the log says of Redis going away and coming back. `ping` rejects unless every connection stands. */
export function watchedRedis(connections: { ping(): Promise<unknown> }): WatchedStore {
  return {
    says: { away: 'Redis is away', back: 'Redis is there again' },
    isAway: isRedisAway,
    ping: () => connections.ping(),
  };
}
