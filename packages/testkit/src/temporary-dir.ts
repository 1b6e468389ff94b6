import { chmod, mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { removeDataFolder } from '@outdial/local-stores';

/** Followed by the pid of the process that created it. */
const PREFIX = 'outdial-test-';

/** Creates a folder for servers that live only as long as the tests. */
export async function makeTemporaryDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
  // When run as root, Postgres works below it under another account and must be able to traverse it.
  await chmod(dir, 0o711);
  return dir;
}

/** Removes the folders of killed runs: a Postgres folder takes about forty megabytes. */
export async function removeAbandonedDirs(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const maker = new RegExp(`^${PREFIX}(\\d+)-`).exec(name);
    if (!maker || isAlive(Number(maker[1]))) continue;
    // Another account's folder can only be removed by that account.
    await removeDataFolder(join(tmpdir(), name)).catch(() => {});
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process lives and belongs to another account.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
