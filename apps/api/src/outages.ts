import { DeadlineExceeded, GateClosed, type Gate } from '@outdial/calls';
import { watchOutages, type Clock, type Logger, type OutageWatch } from '@outdial/kernel';
import { watchedDatabase, type Database } from '@outdial/persistence';
import { watchedRedis } from '@outdial/queue';
import type { RedisConnections } from './redis-connections.ts';

/** Lets the log say once of each store that it goes away and that it is back, and the same of the gate in Redis. */
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
          away: 'The gate is closed until it is rebuilt: no call is accepted',
          back: 'The gate is open again',
        },
        isAway: (error) => error instanceof GateClosed,
        async ping() {
          if (!(await gate.state()).open) throw new GateClosed();
        },
      },
    },
    // Of a request that nobody waits for any longer.
    mayFollowOutage: (error) => error === undefined || error instanceof DeadlineExceeded,
  });
  redis.onLost(() => watch.suspect('redis'));
  return watch;
}
