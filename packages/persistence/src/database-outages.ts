import type { WatchedStore } from '@outdial/kernel';
import type { Database } from './database.ts';
import { isDatabaseAway } from './database-away.ts';

/** What the log says of Postgres going away and coming back. */
export function watchedDatabase(database: Pick<Database, 'ping'>): WatchedStore {
  return {
    messages: { away: 'Postgres is away', back: 'Postgres is back' },
    isAway: isPostgresAway,
    ping: () => database.ping(),
  };
}

/** A refused connection tells its number and not whose it was: one to a bucket, say, is no outage of Postgres. */
function isPostgresAway(error: unknown): boolean {
  const isOfAnySocket = error instanceof Error && 'syscall' in error;
  return isDatabaseAway(error) && !isOfAnySocket;
}
