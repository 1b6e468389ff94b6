import { randomUUID } from 'node:crypto';

import { applyMigrations } from '@outdial/migrations';
import type { TestProject } from 'vitest/node';

import type { ProvidedStores } from './provided-stores.ts';
import { createDatabase, dropDatabase, withDatabaseName } from './databases.ts';
import { offerRedisDatabases } from './redis-databases.ts';
import { openRunStores } from './run-stores.ts';

/** Once per run: brings the servers up, migrates one template database, and returns how to take it all down again. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
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
  const provided: ProvidedStores = { redisUrl, databaseUrl, templateName };
  project.provide('outdialStores', provided);
  return async () => {
    await dropDatabase(databaseUrl, templateName);
    await stores.close();
  };
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
