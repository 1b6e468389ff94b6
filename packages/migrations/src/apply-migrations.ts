import { pause, systemClock, type Clock } from '@outdial/kernel';
import type { DiagnoseMigrationHistoryOutput, MigrationList } from '@prisma/schema-engine-wasm/schema_engine_bg';

import { MigrationError } from './migration-error.ts';
import { DEFAULT_MIGRATIONS_DIR, readMigrations } from './migration-files.ts';
import { withMigrationLock } from './migration-lock.ts';
import { isWithoutTransaction, scriptsWithoutTransaction } from './no-transaction.ts';
import { withSchemaEngine, type EngineConnection } from './schema-engine.ts';

export interface ApplyMigrationsOptions {
  /** Its role must be allowed to create tables, types and functions there. */
  readonly databaseUrl: string;
  /** `/prisma/migrations` unless given. */
  readonly migrationsDir?: string | undefined;
  readonly locks?: LockPatience;
  readonly clock?: Clock;
}

/** How a script waits for tables that are in use. What waits behind it, such as a create, waits as long. */
export interface LockPatience {
  /** For each lock. */
  readonly timeoutMs: number;
  readonly tries: number;
}

export interface AppliedMigrations {
  /** Folder names of the migrations applied by this call, oldest first; empty when the database was up to date. */
  readonly applied: readonly string[];
}

const LOCK_PATIENCE: LockPatience = { timeoutMs: 2_000, tries: 20 };
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 10_000;

/**
 * Brings the database to the newest migration and keeps the history in `_prisma_migrations`, as `prisma migrate deploy`
 * does. Of several callers at a time one works and the others wait, then find nothing to do.
 *
 * A script that does not get its locks in time is undone and tried again: one that kept waiting behind a long reader
 * would keep every later statement on that table waiting too.
 *
 * @throws MigrationError naming the migration and what the database said. What that migration had changed is undone.
 */
export async function applyMigrations(options: ApplyMigrationsOptions): Promise<AppliedMigrations> {
  const { databaseUrl, locks = LOCK_PATIENCE, clock = systemClock } = options;
  const migrations = await readMigrations(options.migrationsDir ?? DEFAULT_MIGRATIONS_DIR);
  return withMigrationLock({ databaseUrl, clock }, () =>
    withSchemaEngine({ databaseUrl, lockTimeoutMs: locks.timeoutMs }, async (connection) => {
      const { pending } = await prepare(connection, migrations);
      await applyAll(connection, migrations, { locks, clock });
      return { applied: pending };
    }),
  );
}

const NO_FILTER = { externalTables: [], externalEnums: [] };

/** Deals with what an earlier run left unfinished. @returns the names of what is to be applied, oldest first. */
async function prepare(connection: EngineConnection, list: MigrationList): Promise<{ pending: readonly string[] }> {
  const repeatable = scriptsWithoutTransaction(list);
  for (const failed of (await diagnose(connection, list)).failedMigrationNames) {
    if (!repeatable.has(failed)) throw stoppedHalfway(failed);
    await connection.engine.markMigrationRolledBack({ migrationName: failed });
  }
  const { history } = await diagnose(connection, list);
  return { pending: history !== null && 'unappliedMigrationNames' in history ? history.unappliedMigrationNames : [] };
}

async function applyAll(
  connection: EngineConnection,
  migrationsList: MigrationList,
  { locks, clock }: { readonly locks: LockPatience; readonly clock: Clock },
): Promise<void> {
  const { engine } = connection;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await engine.applyMigrations({ migrationsList, filters: NO_FILTER });
      return;
    } catch (error) {
      const [failed] = (await diagnose(connection, migrationsList)).failedMigrationNames;
      // A script is one transaction, or can be repeated: it may run again.
      if (failed !== undefined) await engine.markMigrationRolledBack({ migrationName: failed });
      const hadNoLock = failed !== undefined && connection.wasWithoutLock();
      if (!hadNoLock) throw failure(failed, migrationsList, error);
      if (attempt >= locks.tries) throw withoutLock(failed, locks, error);
      await pause(clock, Math.min(FIRST_PAUSE_MS * attempt, LONGEST_PAUSE_MS));
    }
  }
}

function diagnose(
  { engine }: EngineConnection,
  migrationsList: MigrationList,
): Promise<DiagnoseMigrationHistoryOutput> {
  return engine.diagnoseMigrationHistory({ migrationsList, optInToShadowDatabase: false, filters: NO_FILTER });
}

function failure(migration: string | undefined, list: MigrationList, error: unknown): MigrationError {
  const reason = engineReason(error);
  if (migration === undefined) {
    return new MigrationError(`The migrations could not be applied: ${reason}`, { cause: error });
  }
  const outcome = isWithoutTransaction(list, migration)
    ? 'failed, and its next run begins with dropping what it left'
    : 'failed and was undone';
  return new MigrationError(`The migration ${migration} ${outcome}: ${reason}`, { migration, cause: error });
}

function withoutLock(migration: string, { tries, timeoutMs }: LockPatience, cause: unknown): MigrationError {
  return new MigrationError(
    `The migration ${migration} did not get a lock within ${timeoutMs} ms in any of ${tries} tries, and changed nothing: look in pg_stat_activity for a transaction that stays open, end it, then start again.`,
    { migration, cause },
  );
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
