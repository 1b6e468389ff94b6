import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { startPostgres, type Announce } from '@outdial/local-stores';
import { applyMigrations } from '@outdial/migrations';
import { Client } from 'pg';
import { inject } from 'vitest';

import type { ProvidedStores } from './provided-stores.ts';

/** Any number that nothing else on the run's Postgres locks. */
const SEED_LOCK = 20_261_123;

/**
 * Copies a stopped Postgres with a migrated database to `serverDir`: that takes a third of initializing and migrating
 * one. The first test of a run that needs it makes it, and the others wait.
 *
 * @returns false when there is nothing to copy: outside of a test run, or where Postgres keeps its data elsewhere.
 */
export async function copyPostgresSeed(serverDir: string, announce: Announce): Promise<boolean> {
  const stores = storesOfRun();
  if (stores === undefined) return false;
  const seed = join(stores.seedDir, 'postgres');
  const donePath = join(stores.seedDir, 'done');
  if (!existsSync(donePath)) {
    await alone(stores.databaseUrl, async () => {
      if (existsSync(donePath)) return;
      await rm(seed, { recursive: true, force: true });
      await makeSeed(seed, announce);
      await writeFile(donePath, '');
    });
  }
  if (!existsSync(join(seed, 'cluster'))) return false;
  await mkdir(serverDir, { mode: 0o711 });
  const parts = ['cluster', 'password'].map((part) => join(seed, part));
  // Node's own copy does not keep the owner of the files, and Postgres demands it.
  await promisify(execFile)('cp', ['-a', ...parts, serverDir]);
  return true;
}

async function makeSeed(serverDir: string, announce: Announce): Promise<void> {
  const server = await startPostgres({ serverDir, profile: 'fast', announce });
  try {
    await applyMigrations({ databaseUrl: server.url });
  } finally {
    await server.process.stop();
  }
}

/** Test files of several processes take turns. A lock of Postgres ends with its holder, however that ends. */
async function alone(databaseUrl: string, work: () => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [SEED_LOCK]);
    await work();
  } finally {
    await client.end().catch(() => {});
  }
}

/** Undefined in a project without stores, and outside of vitest, as in `npm run chaos`. */
function storesOfRun(): ProvidedStores | undefined {
  try {
    return inject('outdialStores');
  } catch {
    return undefined;
  }
}
