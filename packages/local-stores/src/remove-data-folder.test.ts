import { existsSync } from 'node:fs';
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { openStores } from './open-stores.ts';
import { sharedDirOf } from './postgres/cluster.ts';
import { removeDataFolder } from './remove-data-folder.ts';

test('removing a data folder also removes the Postgres data that root keeps outside of it', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'outdial-closed-'));
  // Closed to the account that Postgres runs under when we are root.
  await chmod(dataDir, 0o700);
  const stores = await openStores({ dataDir, profile: 'fast', announce: () => {} });
  const outside = sharedDirOf(join(dataDir, 'postgres'));
  const isRoot = process.getuid?.() === 0;
  expect(existsSync(outside)).toBe(isRoot);
  await expect(removeDataFolder(dataDir)).rejects.toThrow(`Process ${process.pid} already uses the data folder`);
  await stores.close();
  await removeDataFolder(dataDir);
  expect([existsSync(dataDir), existsSync(outside)]).toEqual([false, false]);
});
