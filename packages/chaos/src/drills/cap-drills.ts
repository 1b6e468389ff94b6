import { setTimeout as sleep } from 'node:timers/promises';
import { OPEN_POLICY } from '@outdial/contracts';
import { createDatabase } from '@outdial/persistence';
import { seedAccount } from '@outdial/persistence/seeding';
import { Pool } from 'pg';
import type { Drill } from './drill.ts';

const CALLEE = '+12025550101';
const ONCE_AN_HOUR = { ...OPEN_POLICY, caps: [{ hours: 1, max: 1 }] };
const GRANT = 'SELECT grant_dial($1, $2, NULL, clock_timestamp()) AS granted';
const LOCK = 'SELECT FROM dial_counts WHERE account_id = $1 AND number = substr($2, 2)::bigint FOR NO KEY UPDATE';
const POLL_MS = 20;

/**
 * Two workers ask to dial a number, which was dialed long ago. The second one asks while the first one has the number's row, and
 * has not counted its dial yet.
 */
const countedOnce: Drill = async (databaseUrl) => {
  const pool = new Pool({ connectionString: databaseUrl, max: 3 });
  // The database is dropped afterwards, while connections may still be closing.
  pool.on('error', () => undefined);
  const database = createDatabase({ url: databaseUrl, poolSize: 1, readPoolSize: 1 });
  try {
    const { id } = await seedAccount(database, {});
    await pool.query(
      `INSERT INTO calling_policies (account_id, version, settings, saved_by) VALUES ($1, 1, $2, 'drill')`,
      [id, JSON.stringify(ONCE_AN_HOUR)],
    );
    await pool.query('UPDATE accounts SET policy_version = 1 WHERE id = $1', [id]);
    await pool.query(
      `INSERT INTO dial_counts (account_id, number, dialed_at)
       VALUES ($1, substr($2, 2)::bigint, ARRAY[clock_timestamp() - interval '2 hours'])`,
      [id, CALLEE],
    );
    const granted = await grantTwice(pool, [id, CALLEE]);
    return granted === 1 ? [] : [`a cap of one granted ${granted} dials`];
  } finally {
    await Promise.all([pool.end(), database.close()]);
  }
};

async function grantTwice(pool: Pool, values: readonly string[]): Promise<number> {
  const [first, second] = [await pool.connect(), await pool.connect()];
  try {
    await first.query('BEGIN');
    await first.query(LOCK, [...values]);
    const asking = second.query<{ granted: boolean }>(GRANT, [...values]);
    while (!(await isWaiting(pool))) await sleep(POLL_MS);
    const one = await first.query<{ granted: boolean }>(GRANT, [...values]);
    await first.query('COMMIT');
    const other = await asking;
    return [...one.rows, ...other.rows].filter(({ granted }) => granted).length;
  } finally {
    first.release();
    second.release();
  }
}

async function isWaiting(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows.length > 0;
}

export const CAP_DRILLS = { cap_counted_once: countedOnce } as const;
