import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// The same path from src/ and from dist/.
const MIGRATIONS_DIR = fileURLToPath(new URL('../../../prisma/migrations/', import.meta.url));

/** The name of the newest migration that this code comes with: its version of the schema. Names begin with a timestamp. */
export function newestMigration(): string {
  const migrations = readdirSync(MIGRATIONS_DIR, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const newest = migrations
    .map(({ name }) => name)
    .toSorted()
    .at(-1);
  if (newest === undefined)
    throw new Error(`${MIGRATIONS_DIR} has no migrations: check that the installation is complete.`);
  return newest;
}
