import { pause, systemClock, type Clock } from '@outdial/kernel';
import type { DiagnoseMigrationHistoryOutput, MigrationList } from '@prisma/schema-engine-wasm/schema_engine_bg';

import { MigrationError } from './migration-error.ts';
import { DEFAULT_MIGRATIONS_DIR, readMigrations } from './migration-files.ts';
import { withMigrationLock } from './migration-lock.ts';
import { isWithoutTransaction, scriptsWithoutTransaction } from './no-transaction.ts';
import { withSchemaEngine, type EngineConnection } from './schema-engine.ts';

export interface ApplyMigrationsOptions {
  /** Its role must be allowed to create tables, types and functions. */
  readonly databaseUrl: string;
  /** Default: `/prisma/migrations`. */
  readonly migrationsDir?: string | undefined;
  readonly locks?: LockPatience;
  readonly clock?: Clock;
}

/** How a script waits for tables that are in use. Statements that queue behind it, such as a create, wait as long. */
export interface LockPatience {
  /** Per lock. */
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
 * does. Of several concurrent callers one works; the others wait and then find nothing to do.
 *
 * A script that does not get its locks in time is rolled back and retried: if it kept waiting behind a long reader,
 * every later statement on that table would wait too.
 *
 * @throws MigrationError with the migration and the database's reason. The migration's changes are rolled back.
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

/** Handles interrupted migrations of earlier runs. @returns the names of the pending migrations, oldest first */
async function prepare(connection: EngineConnection, list: MigrationList): Promise<{ pending: readonly string[] }> {
  const repeatable = scriptsWithoutTransaction(list);
  for (const failed of (await diagnose(connection, list)).failedMigrationNames) {
    if (!repeatable.has(failed)) throw interrupted(failed);
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
      // A script is one transaction, or repeatable: it may run again.
      if (failed !== undefined) await engine.markMigrationRolledBack({ migrationName: failed });
      const hadNoLock = failed !== undefined && connection.hadLockTimeout();
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
    ? 'failed, and its next run first drops the invalid index'
    : 'failed and was rolled back';
  return new MigrationError(`The migration ${migration} ${outcome}: ${reason}`, { migration, cause: error });
}

function withoutLock(migration: string, { tries, timeoutMs }: LockPatience, cause: unknown): MigrationError {
  return new MigrationError(
    `The migration ${migration} did not get a lock within ${timeoutMs} ms in any of ${tries} tries, and changed nothing: find the long-running transaction in pg_stat_activity, end it, then start again.`,
    { migration, cause },
  );
}

/** Removes the engine's wrapping and stack trace from the database's message. */
function engineReason(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const withoutTrace = text.split(/\n\s+0: /)[0] ?? text;
  return withoutTrace
    .replace(/^external connector error\s*/, '')
    .replace(/^Error querying the database:\s*/, '')
    .trim();
}

/** A process died between the script's end and its history entry, so only an operator can find out whether it took effect. */
function interrupted(migration: string): MigrationError {
  return new MigrationError(
    `The migration ${migration} was interrupted in an earlier run: if its changes are in the database, set finished_at in its row of _prisma_migrations, else set rolled_back_at; then start again.`,
    { migration },
  );
}
