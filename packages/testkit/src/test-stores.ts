import { randomUUID } from 'node:crypto';

import { inject } from 'vitest';

import type { ProvidedStores } from './provided-stores.ts';
import { createDatabase, dropDatabase, withDatabaseName } from './databases.ts';
import { returnRedisDatabase, takeRedisDatabase } from './redis-databases.ts';

/** A Redis database and a Postgres database that nothing else uses. */
export interface TestStores {
  /** Ends in the database's number. Initially empty. */
  readonly redisUrl: string;
  /** Migrated, without rows. */
  readonly databaseUrl: string;
  /** Returns both. Call it in `afterAll`, after the clients are closed. */
  close(): Promise<void>;
}

/** Gives a test file its own databases on the run's real servers. Takes about ten milliseconds. */
export async function testStores(): Promise<TestStores> {
  const provided: ProvidedStores | undefined = inject('outdialStores');
  if (provided === undefined) {
    throw new Error(
      'This file runs as a unit test, which has no stores: use testStores in the file, or in an imported helper below test/ or testing/.',
    );
  }
  const { redisUrl, databaseUrl, templateName } = provided;
  const name = `outdial_test_${randomUUID().replaceAll('-', '')}`;
  await createDatabase(databaseUrl, name, templateName);
  const ownRedisUrl = await takeRedisDatabase(redisUrl);
  return {
    redisUrl: ownRedisUrl,
    databaseUrl: withDatabaseName(databaseUrl, name),
    async close() {
      await returnRedisDatabase(ownRedisUrl);
      await dropDatabase(databaseUrl, name);
    },
  };
}
