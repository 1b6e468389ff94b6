import { pause, type Clock } from '@outdial/kernel';
import { postgresHosts } from '@outdial/postgres-hosts';
import type { Client } from 'pg';

/** An arbitrary constant that no other lock in the database uses. */
export const LOCK_KEY = 4_685_312_090;
const RETRY_MS = 100;

/**
 * Runs `work` while no other process migrates the same database. The lock belongs to a transaction on a dedicated
 * connection: it is released with the connection, however this process ends, and works through a transaction pooler.
 */
export async function withMigrationLock<T>(
  { databaseUrl, clock }: { readonly databaseUrl: string; readonly clock: Clock },
  work: () => Promise<T>,
): Promise<T> {
  const client = postgresHosts(databaseUrl, clock).client({ application_name: 'outdial-migrations' });
  // A lost connection surfaces as an error of the work; without a listener it would end the process.
  client.on('error', () => {});
  await client.connect();
  try {
    while (!(await begin(client))) await pause(clock, RETRY_MS);
    return await work();
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * Begins a transaction that has the lock. False: another process has it, and no transaction is left open. CREATE INDEX
 * CONCURRENTLY waits for the end of every transaction that it meets in the middle of a statement: one that stayed open until it
 * had the lock would wait for the index build, and the build for it.
 *
 * The lock is polled for the same reason. The statement has no parameters, so that no portal and no snapshot stays open while the work
 * goes on.
 */
async function begin(client: Client): Promise<boolean> {
  await client.query('BEGIN');
  // The transaction is idle for as long as the work takes.
  await client.query('SET LOCAL idle_in_transaction_session_timeout = 0');
  await client.query('SET LOCAL statement_timeout = 0');
  const { rows } = await client.query<{ taken: boolean }>(`SELECT pg_try_advisory_xact_lock(${LOCK_KEY}) AS taken`);
  if (rows[0]?.taken === true) return true;
  await client.query('ROLLBACK');
  return false;
}
