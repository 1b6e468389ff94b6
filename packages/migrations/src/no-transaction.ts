import type { MigrationList } from '@prisma/schema-engine-wasm/schema_engine_bg';
import { escapeIdentifier, type Pool } from 'pg';

import { MigrationError } from './migration-error.ts';

/** The first line of a script whose statement Postgres refuses inside a transaction. */
const MARK = '-- outdial: no transaction\n';

/** One statement that can be repeated: Postgres skips an index that stands, and what is invalid is dropped before. */
const REPEATABLE =
  /^CREATE\s+(?:UNIQUE\s+)?INDEX\s+CONCURRENTLY\s+IF\s+NOT\s+EXISTS\s+(?<index>[a-z_][a-z0-9_]*)\s+ON\s[^;]*;?\s*$/i;

/** The names of the migrations that may run again after they were cut off. @throws MigrationError */
export function scriptsWithoutTransaction(list: MigrationList): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { path } of list.migrationDirectories) if (isWithoutTransaction(list, path)) names.add(path);
  return names;
}

/** @throws MigrationError if the script has the mark and is anything but an index that is built concurrently. */
export function isWithoutTransaction(list: MigrationList, migration: string): boolean {
  const content = list.migrationDirectories.find(({ path }) => path === migration)?.migrationFile.content;
  if (content?.tag !== 'ok' || !content.value.startsWith(MARK)) return false;
  if (indexOf(content.value) !== null) return true;
  throw new MigrationError(
    `The migration ${migration} begins with "${MARK.trim()}": it must then hold one statement, CREATE INDEX CONCURRENTLY IF NOT EXISTS <name> ON …`,
    { migration },
  );
}

/** The index that such a script builds; null for every other script. */
export function indexOf(script: string): string | null {
  if (!script.startsWith(MARK)) return null;
  const statement = script.replaceAll(/^--.*$/gm, '').trim();
  return REPEATABLE.exec(statement)?.groups?.['index'] ?? null;
}

/** A build that was cut off or failed leaves an index that is kept up and never used. */
export async function dropInvalidIndex(pool: Pool, index: string): Promise<void> {
  const { rowCount } = await pool.query(
    `SELECT 1 FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE c.relname = $1 AND c.relnamespace = current_schema()::regnamespace AND NOT i.indisvalid`,
    [index],
  );
  if (rowCount !== null && rowCount > 0) await pool.query(`DROP INDEX CONCURRENTLY ${escapeIdentifier(index)}`);
}
