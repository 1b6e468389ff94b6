import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { claimDataFolder } from './machine/data-folder.ts';
import { sharedDirOf } from './postgres/cluster.ts';
import { endLeftoverPostgres } from './postgres/postgres-server.ts';
import { endLeftoverRedis } from './redis/redis-server.ts';

/** A set-up that was interrupted may still add files while its process ends. */
const WHOLE = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 };

/**
 * Removes a data folder for good, including the Postgres data that may lie outside of it. Close the stores in it
 * first; servers that outlived their owner are ended, since they would go on writing to the removed files.
 *
 * @throws StoreSetupError if a process still uses it.
 */
export async function removeDataFolder(dataDir: string): Promise<void> {
  const { path } = await claimDataFolder(dataDir);
  const postgresDir = join(path, 'postgres');
  await Promise.all([endLeftoverRedis(join(path, 'redis')), endLeftoverPostgres(postgresDir)]);
  await rm(sharedDirOf(postgresDir), WHOLE);
  await rm(path, WHOLE);
}
