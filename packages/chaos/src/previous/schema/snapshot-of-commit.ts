import { mkdtemp, rm } from 'node:fs/promises';
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyMigrations } from '@outdial/migrations';
import { privatePostgres } from '@outdial/testkit';
import { exportTree } from '../export-tree.ts';
import { ROOT } from '../rolling-from.ts';
import { readSchemaItems } from './schema-items.ts';
import { takeSnapshot, type Snapshot } from './snapshot.ts';

export const SNAPSHOT_PATH = join(ROOT, 'deploy', 'rolling-from.schema');

/** Of what runs in production. The code in SQL comes with the schema itself. */
const CODE =
  /^(?:(?:packages\/(?!testkit|e2e|chaos)[^/]+|apps\/[^/]+)\/src\/.*(?<!\.test)\.ts|prisma\/schema\.prisma)$/;

/** Applies the migrations of the commit to a new Postgres, and looks up in its code what that names. */
export async function snapshotOfCommit(commit: string): Promise<Snapshot> {
  const folder = await mkdtemp(join(tmpdir(), 'outdial-previous-'));
  try {
    const root = await exportTree(commit, ROOT, folder);
    const migrationsDir = join(root, 'prisma', 'migrations');
    const postgres = await privatePostgres({
      migrate: (databaseUrl) => applyMigrations({ databaseUrl, migrationsDir }),
    });
    try {
      return takeSnapshot(commit, await readSchemaItems(postgres.url), wordsBelow(root));
    } finally {
      await postgres.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function wordsBelow(root: string): ReadonlySet<string> {
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => CODE.test(path));
  return new Set(paths.flatMap((path) => readFileSync(join(root, path), 'utf8').match(/\w+/g) ?? []));
}
