import type { Client } from 'pg';
import { readSourceObjects, readSqlObjects, type SqlObjects } from './sql-objects.ts';
import type { SqlSource } from './sql-sources.ts';

export interface SqlDifference {
  /** As in `SqlObjects`. */
  readonly key: string;
  /**
   * `changed`: the migrated definition is another one. `not_migrated`: only the sources have it. `without_source`: only
   * the migrations have it.
   */
  readonly kind: 'changed' | 'not_migrated' | 'without_source';
}

/** Where the objects of a migrated database and their sources differ. Compares definitions as Postgres prints them. */
export async function sqlDrift(client: Client, sources: readonly SqlSource[]): Promise<readonly SqlDifference[]> {
  return compareObjects(await readSqlObjects(client), await readSourceObjects(client, sources));
}

/** The differences of migrated objects from the wanted ones. */
export function compareObjects(migrated: SqlObjects, wanted: SqlObjects): readonly SqlDifference[] {
  const differences: SqlDifference[] = [];
  for (const [key, { definition }] of wanted) {
    const existing = migrated.get(key);
    if (existing === undefined) differences.push({ key, kind: 'not_migrated' });
    else if (existing.definition !== definition) differences.push({ key, kind: 'changed' });
  }
  for (const key of migrated.keys()) if (!wanted.has(key)) differences.push({ key, kind: 'without_source' });
  return differences;
}

/** The object's name in a key, without kind, arguments and table. */
export function nameIn(key: string): string {
  return /^(?:materialized )?\w+ "?(?<name>\w+)/.exec(key)?.groups?.['name'] ?? key;
}
