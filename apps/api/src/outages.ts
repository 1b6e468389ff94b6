import { GateClosed, type Gate } from '@outdial/calls';
import { watchOutages, type Clock, type Logger, type OutageWatch, DeadlineExceeded } from '@outdial/kernel';
import { watchedDatabase, type Database } from '@outdial/persistence';
import { watchedRedis } from '@outdial/queue';
import type { RedisConnections } from './redis-connections.ts';

/** Logs once when a store goes away and once when it is back, and the same for the gate in Redis. */
export function watchStores(deps: {
  readonly database: Database;
  readonly redis: RedisConnections;
  readonly gate: Pick<Gate, 'state'>;
  readonly logger: Logger;
  readonly clock: Clock;
}): OutageWatch<'postgres' | 'redis' | 'gate'> {
  const { database, redis, gate, logger, clock } = deps;
  const watch = watchOutages({
    logger,
    clock,
    stores: {
      redis: watchedRedis(redis),
      postgres: watchedDatabase(database),
      gate: {
        messages: {
          away: 'The gate is closed: no call is accepted until it is rebuilt',
          back: 'The gate is open again',
        },
        isAway: (error) => error instanceof GateClosed,
        async ping() {
          if (!(await gate.state()).open) throw new GateClosed();
        },
      },
    },
    // From a request whose client is no longer waiting.
    mayFollowOutage: (error) => error === undefined || error instanceof DeadlineExceeded,
  });
  redis.onLost(() => watch.suspect('redis'));
  return watch;
}
