import type { MigrationList } from '@prisma/schema-engine-wasm/schema_engine_bg';

import { MigrationError } from './migration-error.ts';
import { DEFAULT_MIGRATIONS_DIR, readMigrations } from './migration-files.ts';
import { withMigrationLock } from './migration-lock.ts';
import { withSchemaEngine, type SchemaEngine } from './schema-engine.ts';

export interface ApplyMigrationsOptions {
  /** Its role must be allowed to create tables, types and functions there. */
  readonly databaseUrl: string;
  /** `/prisma/migrations` unless given. */
  readonly migrationsDir?: string | undefined;
}

export interface AppliedMigrations {
  /** Folder names of the migrations applied by this call, oldest first; empty when the database was up to date. */
  readonly applied: readonly string[];
}

/**
 * Brings the database to the newest migration and keeps the history in `_prisma_migrations`, as `prisma migrate deploy`
 * does. Of several callers at a time one works and the others wait, then find nothing to do.
 *
 * @throws MigrationError naming the migration and what the database said. What that migration had changed is undone.
 */
export async function applyMigrations(options: ApplyMigrationsOptions): Promise<AppliedMigrations> {
  const migrations = await readMigrations(options.migrationsDir ?? DEFAULT_MIGRATIONS_DIR);
  return withMigrationLock(options.databaseUrl, () =>
    withSchemaEngine(options.databaseUrl, async (engine) => ({ applied: await applyAll(engine, migrations) })),
  );
}

const NO_FILTER = { externalTables: [], externalEnums: [] };

async function applyAll(engine: SchemaEngine, migrationsList: MigrationList): Promise<readonly string[]> {
  const failedBefore = await failedMigrations(engine, migrationsList);
  if (failedBefore[0] !== undefined) throw stoppedHalfway(failedBefore[0]);
  try {
    const { appliedMigrationNames } = await engine.applyMigrations({ migrationsList, filters: NO_FILTER });
    return appliedMigrationNames;
  } catch (error) {
    const [failed] = await failedMigrations(engine, migrationsList);
    // A script is one transaction: nothing of it is there, and once it is corrected it may run again.
    if (failed !== undefined) await engine.markMigrationRolledBack({ migrationName: failed });
    throw failure(failed, error);
  }
}

async function failedMigrations(engine: SchemaEngine, migrationsList: MigrationList): Promise<readonly string[]> {
  const diagnosis = await engine.diagnoseMigrationHistory({
    migrationsList,
    optInToShadowDatabase: false,
    filters: NO_FILTER,
  });
  return diagnosis.failedMigrationNames;
}

function failure(migration: string | undefined, error: unknown): MigrationError {
  const reason = engineReason(error);
  return migration === undefined
    ? new MigrationError(`The migrations could not be applied: ${reason}`, { cause: error })
    : new MigrationError(`The migration ${migration} failed and was undone: ${reason}`, { migration, cause: error });
}

/** The engine wraps the database's words in its own and appends a trace. */
function engineReason(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const withoutTrace = text.split(/\n\s+0: /)[0] ?? text;
  return withoutTrace
    .replace(/^external connector error\s*/, '')
    .replace(/^Error querying the database:\s*/, '')
    .trim();
}

/** A process died between the script's end and the note of it, so only a person can tell whether it took effect. */
function stoppedHalfway(migration: string): MigrationError {
  return new MigrationError(
    `The migration ${migration} was cut off in an earlier run: if its changes are in the database, set finished_at in its row of _prisma_migrations, else set rolled_back_at; then start again.`,
    { migration },
  );
}
