import type { WatchedStore } from '@outdial/kernel';
import type { Database } from './database.ts';
import { isDatabaseAway } from './database-away.ts';

/** Log messages for an outage of Postgres. */
export function watchedDatabase(database: Pick<Database, 'ping'>): WatchedStore {
  return {
    messages: { away: 'Postgres is away', back: 'Postgres is back' },
    isAway: isPostgresAway,
    ping: () => database.ping(),
  };
}

/** A refused connection has only an error number: one to the S3 store, for example, is no outage of Postgres. */
function isPostgresAway(error: unknown): boolean {
  const isOfAnySocket = error instanceof Error && 'syscall' in error;
  return isDatabaseAway(error) && !isOfAnySocket;
}
