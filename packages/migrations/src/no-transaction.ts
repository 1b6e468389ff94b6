import type { MigrationList } from '@prisma/schema-engine-wasm/schema_engine_bg';
import { escapeIdentifier, type Pool } from 'pg';

import { MigrationError } from './migration-error.ts';

/** First line of a script whose statement cannot run in a transaction. */
const MARK = '-- outdial: no transaction\n';

/** One repeatable statement: Postgres skips an existing index, and an invalid one is dropped first. */
const REPEATABLE =
  /^CREATE\s+(?:UNIQUE\s+)?INDEX\s+CONCURRENTLY\s+IF\s+NOT\s+EXISTS\s+(?<index>[a-z_][a-z0-9_]*)\s+ON\s[^;]*;?\s*$/i;

/** The names of migrations that may run again after an interruption. @throws MigrationError */
export function scriptsWithoutTransaction(list: MigrationList): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { path } of list.migrationDirectories) if (isWithoutTransaction(list, path)) names.add(path);
  return names;
}

/** @throws MigrationError if the script has the mark and does not build an index concurrently */
export function isWithoutTransaction(list: MigrationList, migration: string): boolean {
  const content = list.migrationDirectories.find(({ path }) => path === migration)?.migrationFile.content;
  if (content?.tag !== 'ok' || !content.value.startsWith(MARK)) return false;
  if (indexOf(content.value) !== null) return true;
  throw new MigrationError(
    `The migration ${migration} begins with "${MARK.trim()}": it must have exactly one statement, CREATE INDEX CONCURRENTLY IF NOT EXISTS <name> ON …`,
    { migration },
  );
}

/** The index that such a script builds; null for any other script. */
export function indexOf(script: string): string | null {
  if (!script.startsWith(MARK)) return null;
  const statement = script.replaceAll(/^--.*$/gm, '').trim();
  return REPEATABLE.exec(statement)?.groups?.['index'] ?? null;
}

/** A build that was interrupted or failed leaves an invalid index, which is maintained but never used. */
export async function dropInvalidIndex(pool: Pool, index: string): Promise<void> {
  const { rowCount } = await pool.query(
    `SELECT 1 FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE c.relname = $1 AND c.relnamespace = current_schema()::regnamespace AND NOT i.indisvalid`,
    [index],
  );
  if (rowCount !== null && rowCount > 0) await pool.query(`DROP INDEX CONCURRENTLY ${escapeIdentifier(index)}`);
}
