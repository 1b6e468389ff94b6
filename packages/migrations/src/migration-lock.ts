import { Client } from 'pg';

/** Any fixed number will do, as long as nothing else in the database locks it. */
const LOCK_KEY = 4_685_312_090;

/**
 * Runs `work` while no other process migrates the same database. The lock belongs to a transaction on a connection of
 * its own: it is gone with the connection, however this process ends, and it works through a transaction pooler.
 */
export async function withMigrationLock<T>(databaseUrl: string, work: () => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: databaseUrl, application_name: 'outdial-migrations' });
  // A connection lost meanwhile shows in the work's own error; without a listener it would end the process.
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('BEGIN');
    // The transaction idles for as long as the work takes.
    await client.query('SET LOCAL idle_in_transaction_session_timeout = 0');
    await client.query('SET LOCAL statement_timeout = 0');
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK_KEY]);
    return await work();
  } finally {
    await client.end().catch(() => {});
  }
}
