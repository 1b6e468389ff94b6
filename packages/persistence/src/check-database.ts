import type { StoreCheckResult } from '@outdial/kernel';
import { createDatabase, type Database } from './database.ts';
import { newestMigration } from './newest-migration.ts';
import { sqlStateOf } from './sql-state.ts';

/** Rejections that are permanent, by SQLSTATE. */
const REFUSALS: Readonly<Record<string, string>> = {
  '28000': 'Postgres rejects this user',
  '28P01': 'Postgres rejects this user or password',
  '3D000': 'Postgres has no database of this name',
};

const NOT_MIGRATED = '42P01';

const USABLE: StoreCheckResult = { kind: 'usable' };
const AWAY: StoreCheckResult = { kind: 'away' };

/**
 * Whether the database at this URL can be used by this code. Takes at most two seconds.
 *
 * @param version the newest migration that the code knows
 */
export async function checkDatabase(url: string, version = newestMigration()): Promise<StoreCheckResult> {
  const database = createDatabase({ url, poolSize: 1, readPoolSize: 1, queryTimeoutMs: 450, connectTimeoutMs: 450 });
  try {
    const entry = await checkEntry(database);
    return entry.kind === 'usable' ? await checkSchema(database, version) : entry;
  } finally {
    await database.close();
  }
}

async function checkEntry(database: Database): Promise<StoreCheckResult> {
  try {
    await database.ping();
    return USABLE;
  } catch (error) {
    const reason = refusalIn(error);
    return reason === undefined ? AWAY : { kind: 'unusable', reason };
  }
}

function refusalIn(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.message.includes('does not support SSL')) return 'Postgres does not speak TLS, which sslmode requires';
  return 'code' in error ? REFUSALS[String(error.code)] : undefined;
}

/** Processes of a version and of the previous one work on the schema of the newer one: ADR 17. */
async function checkSchema({ side }: Database, version: string): Promise<StoreCheckResult> {
  try {
    const [row] = await side.$queryRaw<{ isApplied: boolean; needsCode: string | null }[]>`
      SELECT EXISTS (SELECT FROM _prisma_migrations m
               WHERE m.migration_name = ${version} AND m.finished_at IS NOT NULL AND m.rolled_back_at IS NULL) AS "isApplied",
        (SELECT max(v.needs_code) FROM schema_versions v) AS "needsCode"`;
    if (row?.isApplied !== true)
      return unusable(`its schema lacks the migration ${version}: apply the migrations first, then start again`);
    if (row.needsCode !== null && row.needsCode > version)
      return unusable(`its schema no longer works with this version: run one that has the migration ${row.needsCode}`);
    return USABLE;
  } catch (error) {
    if (sqlStateOf(error) !== NOT_MIGRATED) return AWAY;
    return unusable('its database lacks the tables: apply the migrations first');
  }
}

function unusable(reason: string): StoreCheckResult {
  return { kind: 'unusable', reason };
}
