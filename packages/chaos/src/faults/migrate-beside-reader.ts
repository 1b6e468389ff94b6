import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { migrate } from '../previous/migrate.ts';

/** On the clock of `performance.now()`. */
export interface Migration {
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  /** How many. */
  readonly applied: number;
  /** Whether a script waited for the reader, as no other statement does. */
  readonly hasWaited: boolean;
}

/** Longer than a script waits for a lock, so that one which needs it starts over. */
export const SHORT_READ_MS = 4_000;
/** As long as a report reads: scripts that need a lock start over several times. */
export const LONG_READ_MS = 30_000;
const LOOK_EVERY_MS = 50;

/** Runs this tree's migrations while a transaction reads every table, as a backup does. */
export async function migrateBesideReader(databaseUrl: string, readsForMs: number): Promise<Migration> {
  const [reader, watcher] = [new Client(databaseUrl), new Client(databaseUrl)];
  await Promise.all([reader.connect(), watcher.connect()]);
  try {
    const pid = await readEveryTable(reader);
    const startedAtMs = performance.now();
    const migrating = migrate(databaseUrl).then((output) => ({ output, endedAtMs: performance.now() }));
    const reading = sleep(readsForMs).then(() => reader.query('ROLLBACK'));
    const [{ output, endedAtMs }, hasWaited] = await Promise.all([
      migrating,
      blocksAnother(watcher, pid, readsForMs),
      reading,
    ]);
    const applied = output.split('\n').filter((line) => line.startsWith('Applied ')).length;
    return { startedAtMs, endedAtMs, applied, hasWaited };
  } finally {
    await Promise.all([reader.end(), watcher.end()]);
  }
}

/** @returns the pid of its backend */
async function readEveryTable(reader: Client): Promise<number> {
  const { rows } = await reader.query<{ pid: number; tables: string }>(
    `SELECT pg_backend_pid() AS pid, string_agg(quote_ident(tablename), ', ') AS tables
     FROM pg_tables WHERE schemaname = 'public'`,
  );
  const { pid = 0, tables = '' } = rows[0] ?? {};
  await reader.query(`BEGIN; LOCK TABLE ${tables} IN ACCESS SHARE MODE`);
  return pid;
}

/** Whether any backend waits for that one while it reads. */
async function blocksAnother(watcher: Client, pid: number, readsForMs: number): Promise<boolean> {
  const untilMs = performance.now() + readsForMs;
  while (performance.now() < untilMs) {
    const { rows } = await watcher.query(
      'SELECT FROM pg_stat_activity WHERE pid <> $1 AND $1 = ANY(pg_blocking_pids(pid))',
      [pid],
    );
    if (rows.length > 0) return true;
    await sleep(LOOK_EVERY_MS);
  }
  return false;
}
