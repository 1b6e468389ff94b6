import { EventEmitter, once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { systemClock, type Clock } from '@outdial/kernel';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';

import { applyMigrations } from './apply-migrations.ts';
import { LOCK_KEY } from './migration-lock.ts';
import { withClient, withScratchDatabase } from './scratch-database.ts';
import { testServerUrl } from './testing/server.ts';

const ADD_COLUMN = 'CREATE TABLE beside (id INT); ALTER TABLE calls ADD COLUMN note TEXT;';
const INDEX = (kind = 'INDEX') => `-- outdial: no transaction
-- For lookups of a call by number.
CREATE ${kind} CONCURRENTLY IF NOT EXISTS calls_number ON calls (number);
`;

test('behind a long reader, creates wait at most for the lock timeout, and the migration succeeds afterwards', async () => {
  await onDatabaseWithCalls(async (databaseUrl) => {
    const reader = await openReader(databaseUrl);
    const { clock, pauses } = hurriedClock();
    const migrationsDir = await migrations({ '20260101000000_note': ADD_COLUMN });
    const locks = { timeoutMs: 300, tries: 1_000 };
    const migrating = applyMigrations({ databaseUrl, migrationsDir, locks, clock });
    for (let round = 0; round < 2; round += 1) {
      await untilLockIsWaitedFor(databaseUrl);
      // It waits behind the migration. Without a limit it would wait until the reader, which goes on, has finished.
      await withClient(databaseUrl, (client) => client.query('INSERT INTO calls VALUES (1, 1)'));
    }
    expect(await exists(databaseUrl, 'beside')).toBe(false);
    await reader.finish();
    expect(await migrating).toEqual({ applied: ['20260101000000_note'] });
    expect(await exists(databaseUrl, 'beside')).toBe(true);
    expect(pauses.slice(0, 2)).toEqual([1_000, 2_000]);
  });
});

test('a migration that never gets its lock fails, changes nothing, says what to do, and can be run again', async () => {
  await onDatabaseWithCalls(async (databaseUrl) => {
    const reader = await openReader(databaseUrl);
    const { clock, pauses } = hurriedClock();
    const migrationsDir = await migrations({
      '20260101000000_free': 'CREATE TABLE free (id INT);',
      '20260102000000_note': ADD_COLUMN,
    });
    const locks = { timeoutMs: 10, tries: 13 };
    await expect(applyMigrations({ databaseUrl, migrationsDir, locks, clock })).rejects.toThrow(
      'The migration 20260102000000_note did not get a lock within 10 ms in any of 13 tries, and changed nothing: find the long-running transaction in pg_stat_activity',
    );
    expect(pauses).toEqual([1_000, 2_000, 3_000, 4_000, 5_000, 6_000, 7_000, 8_000, 9_000, 10_000, 10_000, 10_000]);
    expect([await exists(databaseUrl, 'free'), await exists(databaseUrl, 'beside')]).toEqual([true, false]);
    await reader.finish();
    expect(await applyMigrations({ databaseUrl, migrationsDir })).toEqual({ applied: ['20260102000000_note'] });
  });
});

test('an index is built concurrently with reads, by one of several concurrent runs', async () => {
  await onDatabaseWithCalls(async (databaseUrl) => {
    const migrationsDir = await migrations({ '20260101000000_index': INDEX() });
    const runs = await Promise.all([1, 2, 3].map(() => applyMigrations({ databaseUrl, migrationsDir })));
    expect(runs.filter(({ applied }) => applied.length > 0)).toHaveLength(1);
    expect(await isIndexValid(databaseUrl)).toBe(true);
  });
});

test('a run that waits for another has no transaction open: an index build would wait for its end', async () => {
  await onDatabaseWithCalls(async (databaseUrl) => {
    const holder = new Client({ connectionString: databaseUrl });
    holder.on('error', () => undefined);
    await holder.connect();
    onTestFinished(() => holder.end());
    await holder.query(`BEGIN; SELECT pg_try_advisory_xact_lock(${LOCK_KEY})`);
    const pausing = new EventEmitter();
    const clock: Clock = {
      ...systemClock,
      after: (_, callback) => {
        pausing.emit('paused', callback);
        return { cancel: () => undefined };
      },
    };
    const paused = once(pausing, 'paused');
    const migrating = applyMigrations({ databaseUrl, migrationsDir: await migrations({}), clock });
    const [goOn] = await paused;
    const { rows } = await holder.query(
      `SELECT state, xact_start FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'outdial-migrations'`,
    );
    expect(rows).toEqual([{ state: 'idle', xact_start: null }]);
    await holder.query('COMMIT');
    goOn();
    expect(await migrating).toEqual({ applied: [] });
  });
});

test('an index whose build failed or was interrupted is dropped and built again', async () => {
  await onDatabaseWithCalls(async (databaseUrl) => {
    const migrationsDir = await migrations({ '20260101000000_index': INDEX('UNIQUE INDEX') });
    await withClient(databaseUrl, (client) => client.query('INSERT INTO calls VALUES (1, 7), (2, 7)'));
    await expect(applyMigrations({ databaseUrl, migrationsDir })).rejects.toThrow(
      'The migration 20260101000000_index failed, and its next run first drops the invalid index',
    );
    expect(await isIndexValid(databaseUrl)).toBe(false);
    await withClient(databaseUrl, (client) => client.query('DELETE FROM calls WHERE id = 2'));
    expect(await applyMigrations({ databaseUrl, migrationsDir })).toEqual({ applied: ['20260101000000_index'] });
    expect(await isIndexValid(databaseUrl)).toBe(true);
    // The process died after the index was built and before the history entry.
    await withClient(databaseUrl, (client) =>
      client.query(
        `UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name LIKE '%_index' AND rolled_back_at IS NULL`,
      ),
    );
    expect(await applyMigrations({ databaseUrl, migrationsDir })).toEqual({ applied: ['20260101000000_index'] });
  });
});

test('a script without a transaction that does not build an index concurrently is rejected before anything runs', async () => {
  await onDatabaseWithCalls(async (databaseUrl) => {
    const script = '-- outdial: no transaction\nCREATE INDEX calls_number ON calls (number);';
    const migrationsDir = await migrations({
      '20260101000000_free': 'CREATE TABLE free ();',
      '20260102000000_i': script,
    });
    await expect(applyMigrations({ databaseUrl, migrationsDir })).rejects.toThrow(
      'The migration 20260102000000_i begins with "-- outdial: no transaction": it must have exactly one statement',
    );
    expect(await exists(databaseUrl, 'free')).toBe(false);
  });
});

async function onDatabaseWithCalls(work: (databaseUrl: string) => Promise<void>): Promise<void> {
  await withScratchDatabase(testServerUrl(), async (databaseUrl) => {
    await applyMigrations({ databaseUrl, migrationsDir: await migrations({}) });
    await work(databaseUrl);
  });
}

async function openReader(databaseUrl: string) {
  const reader = new Client({ connectionString: databaseUrl });
  reader.on('error', () => undefined);
  await reader.connect();
  onTestFinished(() => reader.end());
  await reader.query('BEGIN');
  await reader.query('SELECT * FROM calls');
  return { finish: () => reader.query('COMMIT') };
}

/** Pauses return at once and are recorded. */
function hurriedClock(): { readonly clock: Clock; readonly pauses: readonly number[] } {
  const pauses: number[] = [];
  const after: Clock['after'] = (delayMs, callback) => {
    pauses.push(delayMs);
    return systemClock.after(0, callback);
  };
  return { clock: { ...systemClock, after }, pauses };
}

function untilLockIsWaitedFor(databaseUrl: string): Promise<void> {
  const waiting = `SELECT 1 FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
    WHERE c.relname = 'calls' AND NOT l.granted AND l.mode = 'AccessExclusiveLock'
      AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
  return expect
    .poll(() => withClient(databaseUrl, async (client) => (await client.query(waiting)).rowCount), { interval: 10 })
    .toBe(1);
}

async function exists(databaseUrl: string, table: string): Promise<boolean> {
  const { rowCount } = await withClient(databaseUrl, (client) =>
    client.query('SELECT 1 FROM pg_tables WHERE tablename = $1', [table]),
  );
  return rowCount === 1;
}

async function isIndexValid(databaseUrl: string): Promise<boolean | undefined> {
  const sql = `SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = 'calls_number'::regclass`;
  const { rows } = await withClient(databaseUrl, (client) => client.query<{ valid: boolean }>(sql));
  return rows[0]?.valid;
}

/** Creates a migrations folder with these scripts, after one that creates their table. */
async function migrations(later: Readonly<Record<string, string>>): Promise<string> {
  const scripts = { '20250101000000_calls': 'CREATE TABLE calls (id INT, number INT);', ...later };
  const dir = await mkdtemp(join(tmpdir(), 'outdial-migrations-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  await writeFile(join(dir, 'migration_lock.toml'), 'provider = "postgresql"\n');
  for (const [name, sql] of Object.entries(scripts)) {
    await mkdir(join(dir, name));
    await writeFile(join(dir, name, 'migration.sql'), sql);
  }
  return dir;
}
