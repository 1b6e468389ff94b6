import { createHash, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { processOf, recordProcess } from './pid-record.ts';
import { errorCode, errorText, StoreSetupError } from './setup-error.ts';

/** A data folder that this process alone uses until it lets go. */
export interface ClaimedFolder {
  /** Absolute. */
  readonly path: string;
  release(): Promise<void>;
}

/**
 * Makes the folder if it is missing and claims it.
 *
 * @throws StoreSetupError with one sentence when another process has it (and which), or when it cannot be used.
 */
export async function claimDataFolder(dataDir: string): Promise<ClaimedFolder> {
  const path = resolve(dataDir);
  const lockPath = join(path, 'owner.json');
  try {
    // Other accounts may pass through but not look around: run as root, Postgres works below it under another account.
    await mkdir(path, { recursive: true, mode: 0o711 });
    await takeLock(path, lockPath);
  } catch (error) {
    throw folderFailure(dataDir, error);
  }
  return { path, release: () => rm(lockPath, { force: true }) };
}

async function takeLock(path: string, lockPath: string): Promise<void> {
  const ownRecord = join(path, `owner-${randomUUID()}.json`);
  await writeFile(ownRecord, '', { mode: 0o600 });
  recordProcess(ownRecord, process.pid);
  try {
    await take(lockPath, ownRecord, path);
  } finally {
    await rm(ownRecord, { force: true });
  }
}

/**
 * `link` fails where the name exists, which makes taking a free lock one atomic step. A dead owner's lock is replaced,
 * never removed, and by nobody but who has the right to that: a lock of its own, named after what is to be replaced, so
 * that of many who found the same dead owner one alone goes on, and whoever comes late finds another one there. The
 * right of one that died meanwhile is taken in the same way.
 */
async function take(lockPath: string, ownRecord: string, folder: string): Promise<void> {
  while (!(await linkIfAbsent(ownRecord, lockPath))) {
    const standing = await readIfPresent(lockPath);
    if (standing === undefined) continue;
    const owner = processOf(standing);
    if (owner) throw folderInUse(folder, owner.pid);
    const right = rightPath(lockPath, standing);
    await take(right, ownRecord, folder);
    try {
      if ((await readIfPresent(lockPath)) === standing) return await replace(lockPath, ownRecord);
    } finally {
      await rm(right, { force: true });
    }
  }
}

/** Where the right to replace this lock of a dead owner is held. */
export function rightPath(lockPath: string, standing: string): string {
  return `${lockPath}.${createHash('sha256').update(standing).digest('hex').slice(0, 16)}`;
}

/** In one step: at no moment is the lock free. */
async function replace(lockPath: string, ownRecord: string): Promise<void> {
  const copy = `${lockPath}.${randomUUID()}`;
  await link(ownRecord, copy);
  await rename(copy, lockPath);
}

async function linkIfAbsent(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function folderInUse(path: string, pid: number): StoreSetupError {
  return new StoreSetupError(
    `Process ${pid} already uses the data folder ${path}: stop it first, or choose another folder with OUTDIAL_DATA_DIR.`,
  );
}

/** One sentence for what the system refused while the folder was worked in. */
export function folderFailure(dataDir: string, error: unknown): unknown {
  const code = errorCode(error);
  const elsewhere = 'or choose another folder with OUTDIAL_DATA_DIR.';
  switch (code) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS': {
      const sentence = `The data folder ${dataDir} may not be written to (${errorText(error)}): give this account write permission, ${elsewhere}`;
      return new StoreSetupError(sentence, error);
    }
    case 'EEXIST':
    case 'ENOTDIR':
      return new StoreSetupError(
        `The data folder ${dataDir} is not a folder: move that file away, ${elsewhere}`,
        error,
      );
    case 'ENOSPC':
    case 'EDQUOT':
      return new StoreSetupError(
        `There is no space left for the data folder ${dataDir}: free some, ${elsewhere}`,
        error,
      );
    case undefined:
    default:
      return error;
  }
}
