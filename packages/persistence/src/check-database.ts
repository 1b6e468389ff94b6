import type { StoreCheckResult } from '@outdial/kernel';
import { createDatabase, type Database } from './database.ts';
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

/** Whether the database at this URL can be used. Takes at most two seconds. */
export async function checkDatabase(url: string): Promise<StoreCheckResult> {
  const database = createDatabase({ url, poolSize: 1, readPoolSize: 1, queryTimeoutMs: 450, connectTimeoutMs: 450 });
  try {
    const entry = await checkEntry(database);
    return entry.kind === 'usable' ? await checkTables(database) : entry;
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

async function checkTables({ side }: Database): Promise<StoreCheckResult> {
  try {
    await side.$queryRaw`SELECT 1 FROM gate LIMIT 1`;
    return USABLE;
  } catch (error) {
    if (sqlStateOf(error) !== NOT_MIGRATED) return AWAY;
    return { kind: 'unusable', reason: 'its database lacks the tables: apply the migrations first' };
  }
}
