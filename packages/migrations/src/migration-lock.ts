import { pause, type Clock } from '@outdial/kernel';
import { Client } from 'pg';

/** An arbitrary constant that no other lock in the database uses. */
const LOCK_KEY = 4_685_312_090;
const RETRY_MS = 100;

/**
 * Runs `work` while no other process migrates the same database. The lock belongs to a transaction on a dedicated
 * connection: it is released with the connection, however this process ends, and works through a transaction pooler.
 */
export async function withMigrationLock<T>(
  { databaseUrl, clock }: { readonly databaseUrl: string; readonly clock: Clock },
  work: () => Promise<T>,
): Promise<T> {
  const client = new Client({ connectionString: databaseUrl, application_name: 'outdial-migrations' });
  // A lost connection surfaces as an error of the work; without a listener it would end the process.
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('BEGIN');
    // The transaction is idle for as long as the work takes.
    await client.query('SET LOCAL idle_in_transaction_session_timeout = 0');
    await client.query('SET LOCAL statement_timeout = 0');
    // Polled, because CREATE INDEX CONCURRENTLY would wait for a statement that blocks on the lock.
    while (!(await tryLock(client))) await pause(clock, RETRY_MS);
    return await work();
  } finally {
    await client.end().catch(() => {});
  }
}

/** Without parameters, so that no portal and no snapshot stays open: concurrent index builds would wait for it. */
async function tryLock(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(`SELECT pg_try_advisory_xact_lock(${LOCK_KEY}) AS taken`);
  return rows[0]?.taken === true;
}
