import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { MigrationList } from '@prisma/schema-engine-wasm/schema_engine_bg';

import { MigrationError } from './migration-error.ts';

// The same path from src/ and from dist/.
const PRISMA_DIR = fileURLToPath(new URL('../../../prisma/', import.meta.url));

export const DEFAULT_MIGRATIONS_DIR = join(PRISMA_DIR, 'migrations');
export const DEFAULT_SCHEMA_PATH = join(PRISMA_DIR, 'schema.prisma');

/** Reads `<dir>/<timestamp>_<name>/migration.sql`, oldest first, in the engine's format. */
export async function readMigrations(dir: string): Promise<MigrationList> {
  const names = await migrationNames(dir);
  return {
    baseDir: dir,
    lockfile: {
      path: 'migration_lock.toml',
      content: await readFile(join(dir, 'migration_lock.toml'), 'utf8').catch(() => null),
    },
    shadowDbInitScript: '',
    migrationDirectories: await Promise.all(
      names.map(async (name) => ({
        path: name,
        migrationFile: { path: 'migration.sql', content: { tag: 'ok' as const, value: await readScript(dir, name) } },
      })),
    ),
  };
}

/** Folder names begin with a timestamp, so sorting them gives the order of application. */
async function migrationNames(dir: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(dir, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name)
      .toSorted();
  } catch (error) {
    throw new MigrationError(`The migrations folder ${dir} cannot be read: check that the installation is complete.`, {
      cause: error,
    });
  }
}

async function readScript(dir: string, migration: string): Promise<string> {
  try {
    return await readFile(join(dir, migration, 'migration.sql'), 'utf8');
  } catch (error) {
    throw new MigrationError(
      `The migration ${migration} has no readable migration.sql in ${dir}: restore it, or remove the folder.`,
      { migration, cause: error },
    );
  }
}
