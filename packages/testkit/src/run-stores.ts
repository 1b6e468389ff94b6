import { openStores, removeDataFolder, type Announce } from '@outdial/local-stores';

import { dockerEngineAnswers } from './docker-engine.ts';
import { makeTemporaryDir, removeAbandonedDirs } from './temporary-dir.ts';

/** The servers that one test run uses. */
export interface RunStores {
  readonly redisUrl: string;
  readonly databaseUrl: string;
  /** Where they came from, for the line that the run prints. */
  readonly description: string;
  close(): Promise<void>;
}

/**
 * Opens Redis and Postgres for a run: `TEST_REDIS_URL` and `TEST_DATABASE_URL` if set, otherwise containers if a
 * Docker engine answers, otherwise servers of this machine in a temporary folder.
 */
export async function openRunStores(announce: Announce): Promise<RunStores> {
  const given = { redisUrl: givenUrl('TEST_REDIS_URL'), databaseUrl: givenUrl('TEST_DATABASE_URL') };
  const needsServer = given.redisUrl === undefined || given.databaseUrl === undefined;
  if (needsServer && (await dockerEngineAnswers())) {
    // Imported lazily: it is large and needless without an engine.
    const { openContainers } = await import('./containers.ts');
    try {
      return await openContainers(given);
    } catch (error) {
      announce(`Docker answers but cannot run the stores (${String(error)}); using this machine's servers instead.`);
    }
  }
  return openLocally(given, announce);
}

export interface GivenUrls {
  readonly redisUrl: string | undefined;
  readonly databaseUrl: string | undefined;
}

async function openLocally(given: GivenUrls, announce: Announce): Promise<RunStores> {
  await removeAbandonedDirs();
  const dataDir = await makeTemporaryDir();
  const stores = await openStores({ dataDir, profile: 'fast', announce, ...given }).catch(async (error: unknown) => {
    await removeDataFolder(dataDir);
    throw error;
  });
  const { redis, postgres } = stores.origin;
  return {
    redisUrl: stores.redisUrl,
    databaseUrl: stores.databaseUrl,
    description: `Redis ${LOCAL_ORIGINS[redis]}, Postgres ${LOCAL_ORIGINS[postgres]}`,
    async close() {
      await stores.close();
      await removeDataFolder(dataDir);
    },
  };
}

const LOCAL_ORIGINS = {
  given: 'from the environment',
  path: 'on this machine',
  installed: 'just installed',
  embedded: 'from the dependencies',
  system: 'on this machine',
} as const;

function givenUrl(name: 'TEST_REDIS_URL' | 'TEST_DATABASE_URL'): string | undefined {
  const value = process.env[name];
  return value === undefined || value === '' ? undefined : value;
}
