import { watchOutages, type Clock, type Logger, type OutageWatch } from '@outdial/kernel';
import { watchedDatabase, type Database } from '@outdial/persistence';
import { watchedRedis } from '@outdial/queue';
import type { RedisConnections } from './redis-connections.ts';

/** Logs once when a store goes away, and once when it is back. */
export function watchStores(deps: {
  readonly database: Database;
  readonly redis: RedisConnections;
  readonly logger: Logger;
  readonly clock: Clock;
}): OutageWatch<'postgres' | 'redis'> {
  const { database, redis, logger, clock } = deps;
  const watch = watchOutages({
    logger,
    clock,
    stores: {
      redis: watchedRedis(redis),
      postgres: watchedDatabase(database),
    },
  });
  redis.onLost(() => watch.suspect('redis'));
  return watch;
}
