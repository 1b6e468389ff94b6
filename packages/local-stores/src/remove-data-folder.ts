import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { claimDataFolder } from './machine/data-folder.ts';
import { sharedDirOf } from './postgres/cluster.ts';

/**
 * Removes a data folder for good, with the Postgres data that may lie outside of it: for stores that are thrown away.
 * Stores that are open in it must be closed first.
 *
 * @throws StoreSetupError if a process still uses it.
 */
export async function removeDataFolder(dataDir: string): Promise<void> {
  const { path } = await claimDataFolder(dataDir);
  await rm(sharedDirOf(join(path, 'postgres')), { recursive: true, force: true });
  await rm(path, { recursive: true, force: true });
}
