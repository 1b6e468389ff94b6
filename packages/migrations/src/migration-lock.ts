import { pause, type Clock } from '@outdial/kernel';
import { Client } from 'pg';

/** Any fixed number will do, as long as nothing else in the database locks it. */
const LOCK_KEY = 4_685_312_090;
const ASK_AGAIN_MS = 100;

/**
 * Runs `work` while no other process migrates the same database. The lock belongs to a transaction on a connection of
 * its own: it is gone with the connection, however this process ends, and it works through a transaction pooler.
 */
export async function withMigrationLock<T>(
  { databaseUrl, clock }: { readonly databaseUrl: string; readonly clock: Clock },
  work: () => Promise<T>,
): Promise<T> {
  const client = new Client({ connectionString: databaseUrl, application_name: 'outdial-migrations' });
  // A connection lost meanwhile shows in the work's own error; without a listener it would end the process.
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('BEGIN');
    // The transaction idles for as long as the work takes.
    await client.query('SET LOCAL idle_in_transaction_session_timeout = 0');
    await client.query('SET LOCAL statement_timeout = 0');
    // Asked for again and again: a statement that waited for it would be one that CREATE INDEX CONCURRENTLY waits for.
    while (!(await takesLock(client))) await pause(clock, ASK_AGAIN_MS);
    return await work();
  } finally {
    await client.end().catch(() => {});
  }
}

/** Without parameters, so that no portal, and with it no snapshot, stays open: the index builds would wait for it. */
async function takesLock(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(`SELECT pg_try_advisory_xact_lock(${LOCK_KEY}) AS taken`);
  return rows[0]?.taken === true;
}
