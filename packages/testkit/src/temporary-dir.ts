import { chmod, mkdtemp, readdir, statfs } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

import { removeDataFolder } from '@outdial/local-stores';

/** Followed by the pid of the process that created it. */
const PREFIX = 'outdial-test-';
/** Linux keeps these files in memory. */
const MEMORY_DIR = '/dev/shm';
/** Far more than the servers of a run need together. A container often has 64 MB. */
const NEEDED_BYTES = 4 * 1024 ** 3;

/**
 * Creates a folder for servers that live only as long as the tests: in memory where there is room. On a disk's ext4,
 * a database that is created right after another was dropped takes seven times the processor time, because the file
 * system looks for inodes that have been free for five seconds.
 */
export async function makeTemporaryDir(): Promise<string> {
  const parentDir = (await hasRoomInMemory()) ? MEMORY_DIR : tmpdir();
  const dir = await mkdtemp(join(parentDir, `${PREFIX}${process.pid}-`));
  // When run as root, Postgres works below it under another account and must be able to traverse it.
  await chmod(dir, 0o711);
  return dir;
}

async function hasRoomInMemory(): Promise<boolean> {
  try {
    const { bavail, bsize } = await statfs(MEMORY_DIR);
    return Math.min(bavail * bsize, freemem()) >= NEEDED_BYTES;
  } catch {
    return false;
  }
}

/** Removes the folders of killed runs: a Postgres folder takes about forty megabytes. */
export async function removeAbandonedDirs(): Promise<void> {
  for (const parentDir of [MEMORY_DIR, tmpdir()]) {
    for (const name of await readdir(parentDir).catch(() => [])) {
      const maker = new RegExp(`^${PREFIX}(\\d+)-`).exec(name);
      if (!maker || isAlive(Number(maker[1]))) continue;
      // Another account's folder can only be removed by that account.
      await removeDataFolder(join(parentDir, name)).catch(() => {});
    }
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
