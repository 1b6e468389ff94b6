/**
 * `npm run migration -- <name>`: writes a migration with every function, view and trigger whose source has changed. It
 * compares the sources with a new Postgres, to which it applies the existing migrations.
 */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { privatePostgres } from '@outdial/testkit';
import { Client } from 'pg';
import { functionMigration, MigrationRefused } from './function-migration.ts';
import { nextMigration } from './next-migration.ts';
import { readSqlSources } from './sql-sources.ts';

const MIGRATIONS_DIR = fileURLToPath(new URL('../../../prisma/migrations/', import.meta.url));

try {
  const [name = '', ...rest] = process.argv.slice(2);
  const folder = nextMigration(name, readdirSync(MIGRATIONS_DIR), new Date());
  if (rest.length > 0) throw new MigrationRefused(`"${rest.join(' ')}" is one argument too many: give one name.`);
  process.stdout.write(`${await writeMigration(folder)}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

async function writeMigration(folder: string): Promise<string> {
  const sources = readSqlSources();
  const postgres = await privatePostgres();
  const client = new Client({ connectionString: postgres.url });
  try {
    await client.connect();
    const migration = await functionMigration(client, sources);
    if (migration === null)
      return 'Every function, view and trigger is as its source says: there is nothing to migrate.';
    mkdirSync(`${MIGRATIONS_DIR}${folder}`);
    writeFileSync(`${MIGRATIONS_DIR}${folder}/migration.sql`, migration.script);
    return `Wrote prisma/migrations/${folder}/migration.sql: ${migration.names.join(', ')}.`;
  } finally {
    await client.end();
    await postgres.close();
  }
}
