import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { applyMigrations } from './apply-migrations.ts';
import { MigrationError } from './migration-error.ts';
import { withClient, withScratchDatabase } from './scratch-database.ts';
import { testServerUrl } from './testing/server.ts';

test('migrations are applied in order, and a second run does nothing', async () => {
  const migrationsDir = await migrations({
    '20260102000000_second': 'ALTER TABLE things ADD COLUMN name TEXT;',
    '20260101000000_first': 'CREATE TABLE things (id INT);',
  });
  await onEmptyDatabase(async (databaseUrl) => {
    const first = await applyMigrations({ databaseUrl, migrationsDir });
    expect(first.applied).toEqual(['20260101000000_first', '20260102000000_second']);
    expect(await applyMigrations({ databaseUrl, migrationsDir })).toEqual({ applied: [] });
    expect(await history(databaseUrl)).toEqual([
      { migration_name: '20260101000000_first', finished: true },
      { migration_name: '20260102000000_second', finished: true },
    ]);
  });
});

test('a script is sent whole: semicolons in function bodies, strings and comments are harmless', async () => {
  const migrationsDir = await migrations({
    '20260101000000_function': `
      -- First one thing; then another.
      CREATE FUNCTION twice(n INT) RETURNS INT LANGUAGE plpgsql AS $$ BEGIN RETURN n * 2; END; $$;
      CREATE TABLE words (word TEXT DEFAULT 'a;b');
      INSERT INTO words DEFAULT VALUES;`,
  });
  await onEmptyDatabase(async (databaseUrl) => {
    await applyMigrations({ databaseUrl, migrationsDir });
    const { rows } = await withClient(databaseUrl, (client) => client.query('SELECT twice(21), word FROM words'));
    expect(rows).toEqual([{ twice: 42, word: 'a;b' }]);
  });
});

test('of several concurrent runs one works and the others find nothing to do', async () => {
  await onEmptyDatabase(async (databaseUrl) => {
    const runs = await Promise.all(Array.from({ length: 5 }, () => applyMigrations({ databaseUrl })));
    expect(runs.filter(({ applied }) => applied.length > 0)).toHaveLength(1);
  });
});

test('a failed migration reports its name and the reason, leaves nothing behind, and runs once corrected', async () => {
  const name = '20260101000000_broken';
  const migrationsDir = await migrations({ [name]: 'CREATE TABLE half (id INT); SELECT 1 / 0;' });
  await onEmptyDatabase(async (databaseUrl) => {
    const failure = applyMigrations({ databaseUrl, migrationsDir });
    await expect(failure).rejects.toThrow(
      new MigrationError(`The migration ${name} failed and was rolled back: ERROR: division by zero`, {
        migration: name,
      }),
    );
    expect(await tableExists(databaseUrl, 'half')).toBe(false);

    await writeFile(join(migrationsDir, name, 'migration.sql'), 'CREATE TABLE half (id INT);');
    expect(await applyMigrations({ databaseUrl, migrationsDir })).toEqual({ applied: [name] });
    expect(await tableExists(databaseUrl, 'half')).toBe(true);
  });
});

test('an interrupted migration needs an operator, and the error says what to do', async () => {
  const name = '20260101000000_slow';
  const migrationsDir = await migrations({ [name]: 'CREATE TABLE slow (id INT);' });
  await onEmptyDatabase(async (databaseUrl) => {
    await applyMigrations({ databaseUrl, migrationsDir });
    await withClient(databaseUrl, (client) => client.query('UPDATE _prisma_migrations SET finished_at = NULL'));
    await expect(applyMigrations({ databaseUrl, migrationsDir })).rejects.toThrow(
      `The migration ${name} was interrupted in an earlier run: if its changes are in the database, set finished_at`,
    );
    await withClient(databaseUrl, (client) => client.query('UPDATE _prisma_migrations SET finished_at = now()'));
    expect(await applyMigrations({ databaseUrl, migrationsDir })).toEqual({ applied: [] });
  });
});

test('a folder without its script and a missing folder are reported by name', async () => {
  const migrationsDir = await migrations({});
  await mkdir(join(migrationsDir, '20260101000000_empty'));
  const databaseUrl = testServerUrl();
  await expect(applyMigrations({ databaseUrl, migrationsDir })).rejects.toThrow(
    `The migration 20260101000000_empty has no readable migration.sql in ${migrationsDir}`,
  );
  await expect(applyMigrations({ databaseUrl, migrationsDir: join(migrationsDir, 'none') })).rejects.toThrow(
    `The migrations folder ${migrationsDir}/none cannot be read`,
  );
});

async function onEmptyDatabase(work: (databaseUrl: string) => Promise<void>): Promise<void> {
  await withScratchDatabase(testServerUrl(), work);
}

/** Creates a migrations folder with these scripts. */
async function migrations(scripts: Readonly<Record<string, string>>): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'outdial-migrations-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  await writeFile(join(dir, 'migration_lock.toml'), 'provider = "postgresql"\n');
  for (const [name, sql] of Object.entries(scripts)) {
    await mkdir(join(dir, name));
    await writeFile(join(dir, name, 'migration.sql'), sql);
  }
  return dir;
}

async function history(databaseUrl: string): Promise<readonly unknown[]> {
  const sql = 'SELECT migration_name, finished_at IS NOT NULL AS finished FROM _prisma_migrations ORDER BY started_at';
  const { rows } = await withClient(databaseUrl, (client) => client.query<Record<string, unknown>>(sql));
  return rows;
}

async function tableExists(databaseUrl: string, table: string): Promise<boolean> {
  const { rowCount } = await withClient(databaseUrl, (client) =>
    client.query('SELECT 1 FROM pg_tables WHERE tablename = $1', [table]),
  );
  return rowCount === 1;
}
