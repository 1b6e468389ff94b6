import { randomUUID } from 'node:crypto';

import { removeDataFolder } from '@outdial/local-stores';
import { applyMigrations } from '@outdial/migrations';
import type { TestProject } from 'vitest/node';

import type { ProvidedStores } from './provided-stores.ts';
import { createDatabase, dropDatabase, withDatabaseName } from './databases.ts';
import { offerRedisDatabases } from './redis-databases.ts';
import { openRunStores } from './run-stores.ts';
import { makeTemporaryDir } from './temporary-dir.ts';

interface SharedStores {
  readonly provided: ProvidedStores;
  close(): Promise<void>;
}

interface Run {
  stores?: Promise<SharedStores>;
  /** The number of projects that have not been torn down yet. */
  projects: number;
}

/** Each project loads its own copy of this module; the run is one process and shares its stores. */
declare global {
  var outdialTestRun: Run | undefined;
}

/**
 * Runs once per project that needs stores. The first project starts the servers and migrates one template database;
 * the last one stops them. A run of unit tests alone starts no server.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const run = (globalThis.outdialTestRun ??= { projects: 0 });
  run.stores ??= openSharedStores();
  const stores = await run.stores;
  run.projects += 1;
  project.provide('outdialStores', stores.provided);
  return async () => {
    run.projects -= 1;
    if (run.projects === 0) await stores.close();
  };
}

async function openSharedStores(): Promise<SharedStores> {
  const stores = await openRunStores(say);
  const templateName = `outdial_template_${randomUUID().replaceAll('-', '')}`;
  try {
    say(`Test stores: ${stores.description}.`);
    await createDatabase(stores.databaseUrl, templateName);
    await applyMigrations({ databaseUrl: withDatabaseName(stores.databaseUrl, templateName) });
    await offerRedisDatabases(stores.redisUrl);
  } catch (error) {
    await stores.close();
    throw error;
  }
  const { redisUrl, databaseUrl } = stores;
  const seedDir = await makeTemporaryDir();
  return {
    provided: { redisUrl, databaseUrl, templateName, seedDir },
    async close() {
      await dropDatabase(databaseUrl, templateName);
      await stores.close();
      await removeDataFolder(seedDir);
    },
  };
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
