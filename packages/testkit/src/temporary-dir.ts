import { chmod, mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { removeDataFolder } from '@outdial/local-stores';

/** Followed by the pid of the process that made it. */
const PREFIX = 'outdial-test-';

/** A folder of its own for servers that live no longer than the tests. */
export async function makeTemporaryDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
  // Run as root, Postgres works below it under another account and must be able to pass through.
  await chmod(dir, 0o711);
  return dir;
}

/** Removes what runs that were killed could not remove: a Postgres folder is some forty megabytes. */
export async function removeAbandonedDirs(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const maker = new RegExp(`^${PREFIX}(\\d+)-`).exec(name);
    if (!maker || isAlive(Number(maker[1]))) continue;
    // Another account's folder is that account's to remove.
    await removeDataFolder(join(tmpdir(), name)).catch(() => {});
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives, and belongs to another account.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
