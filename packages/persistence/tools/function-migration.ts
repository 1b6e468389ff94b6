import type { Client } from 'pg';
import { compareObjects, nameIn, type SqlDifference } from './sql-drift.ts';
import { readSourceObjects, readSqlObjects, rolledBack, type SqlObjects } from './sql-objects.ts';
import type { SqlSource } from './sql-sources.ts';

/** A change that no migration can be made of. The message says what to do. */
export class MigrationRefused extends Error {}

/**
 * The script that brings a migrated database to the sources: the text of each changed source. Null: nothing differs.
 *
 * The script has run once on this database, and was rolled back.
 *
 * @throws MigrationRefused for a change that would break the previous version, which runs beside this one (ADR 17)
 */
export async function functionMigration(
  client: Client,
  sources: readonly SqlSource[],
): Promise<{ readonly names: readonly string[]; readonly script: string } | null> {
  const wanted = await readSourceObjects(client, sources);
  const differences = compareObjects(await readSqlObjects(client), wanted);
  if (differences.length === 0) return null;
  refuseRemovals(differences);
  const names = new Set(differences.map(({ key }) => nameIn(key)));
  const changed = sources.filter(({ name }) => names.has(name));
  const script = changed.map(({ text }) => text).join('\n');
  await check(client, script, wanted);
  return { names: changed.map(({ name }) => name), script };
}

function refuseRemovals(differences: readonly SqlDifference[]): void {
  for (const { key, kind } of differences) {
    if (kind !== 'without_source') continue;
    const name = nameIn(key);
    const isRedefined = differences.some((other) => other.kind === 'not_migrated' && nameIn(other.key) === name);
    throw new MigrationRefused(
      isRedefined
        ? `${key} has other arguments in its source: the previous version still calls it with these. Restore the source, and give the new function another name.`
        : `${key} has no source: restore the file. Once no version calls it, drop it in a migration that you write by hand.`,
    );
  }
}

/** A changed result, such as a new OUT column, fails here: CREATE OR REPLACE cannot make it. */
async function check(client: Client, script: string, wanted: SqlObjects): Promise<void> {
  const left = await rolledBack(client, async () => {
    await client.query(script).catch(refuse);
    return compareObjects(await readSqlObjects(client), wanted);
  });
  if (left.length > 0) throw new Error(`The script leaves differences: ${left.map(({ key }) => key).join(', ')}.`);
}

function refuse(error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error);
  throw new MigrationRefused(
    `Postgres rejects the change: ${reason}. A function with another result needs a new name; keep the old one for a release.`,
    { cause: error },
  );
}
