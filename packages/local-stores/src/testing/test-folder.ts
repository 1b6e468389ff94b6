import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

import { openStores } from '../open-stores.ts';
import { sharedDirOf } from '../postgres/cluster.ts';

/** An empty folder that is removed after the test. */
export async function testFolder(): Promise<string> {
  const dir = await temporaryDir();
  onTestFinished(() => discard(dir));
  return dir;
}

export interface UsedFolder {
  /** A copy for one test, with owners and modes, which Postgres checks. */
  copy(): Promise<string>;
  remove(): Promise<void>;
}

/** A data folder that has been used once: copying it takes a tenth of the time of setting one up. */
export async function usedFolder(): Promise<UsedFolder> {
  const original = await temporaryDir();
  const stores = await openStores({ dataDir: original, profile: 'fast', announce: () => {} });
  await stores.close();
  return {
    async copy() {
      const dir = join(await testFolder(), 'data');
      execFileSync('cp', ['-a', original, dir]);
      return dir;
    },
    remove: () => discard(original),
  };
}

/** Works even if a test left the folder claimed or damaged, when `removeDataFolder` would refuse. */
async function discard(dir: string): Promise<void> {
  for (const dataDir of [dir, join(dir, 'data')]) {
    await rm(sharedDirOf(join(dataDir, 'postgres')), { recursive: true, force: true });
  }
  await rm(dir, { recursive: true, force: true });
}

async function temporaryDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'outdial-local-stores-'));
  // When run as root, Postgres works below the folder under another account and must be able to traverse it.
  await chmod(dir, 0o711);
  return dir;
}
