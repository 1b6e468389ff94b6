/** Applies the migrations to `DATABASE_URL` and exits: the compose file's `migrate` service. */
import { parsePostgresUrl } from '@outdial/kernel';

import { applyMigrations } from './apply-migrations.ts';

const databaseUrl = process.env['DATABASE_URL'] ?? '';

try {
  if (databaseUrl === '')
    throw new Error('DATABASE_URL is not set: set it to the URL of the Postgres database to migrate.');
  const parsed = parsePostgresUrl(databaseUrl);
  if ('problem' in parsed) throw new Error(`DATABASE_URL cannot be used: ${parsed.problem}.`);
  const { applied } = await applyMigrations({ databaseUrl });
  const lines = applied.length === 0 ? ['The database is up to date.'] : applied.map((name) => `Applied ${name}.`);
  process.stdout.write(`${lines.join('\n')}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
