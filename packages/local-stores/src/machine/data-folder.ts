import { createHash, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

import { identifyProcess, processOf } from './process-record.ts';
import { errorCode, errorText, StoreSetupError } from './setup-error.ts';

/** A data folder that this process uses exclusively until it releases it. */
export interface ClaimedFolder {
  /** Absolute. */
  readonly path: string;
  release(): Promise<void>;
}

/**
 * Creates the folder if it is missing and claims it.
 *
 * @throws StoreSetupError with one sentence when another process has it (and which), or when it cannot be used.
 */
export async function claimDataFolder(dataDir: string): Promise<ClaimedFolder> {
  const path = resolve(dataDir);
  const lockPath = join(path, 'owner.json');
  const ownRecord = join(path, `owner-${randomUUID()}.json`);
  try {
    await makeFolder(path);
    await writeFile(ownRecord, JSON.stringify(identifyProcess(process.pid)), { mode: 0o600 });
    try {
      await take(lockPath, ownRecord, path);
    } finally {
      await rm(ownRecord, { force: true });
    }
  } catch (error) {
    throw folderFailure(dataDir, error);
  }
  return { path, release: () => rm(lockPath, { force: true }) };
}

/**
 * Creates parent by parent: Node's recursive mkdir never returns in places that reject new folders, such as /proc.
 * Other accounts may traverse the folder but not list it: when root starts the stores, Postgres works below it under
 * another account.
 */
async function makeFolder(path: string): Promise<void> {
  try {
    if ((await stat(path)).isDirectory()) return;
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    await makeFolder(dirname(path));
  }
  await mkdir(path, { mode: 0o711 }).catch(async (error: unknown) => {
    // Another process may have created it in between.
    if (!(await stat(path)).isDirectory()) throw error;
  });
}

/**
 * `link` fails when the name exists, so taking a free lock is one atomic step. A dead owner's lock is replaced, never
 * removed, and only by the process that holds the right to replace it: a second lock, named after the record to
 * replace. Of many processes that find the same dead owner only one gets that right, and a late one finds a new owner
 * there. If the holder of the right dies, its right is taken over in the same way.
 */
async function take(lockPath: string, ownRecord: string, folder: string): Promise<void> {
  while (!(await linkIfAbsent(ownRecord, lockPath))) {
    const standing = await readIfPresent(lockPath);
    if (standing === undefined) continue;
    const owner = processOf(standing);
    if (owner) throw folderInUse(folder, owner.pid);
    const right = takeOverPath(lockPath, standing);
    await take(right, ownRecord, folder);
    try {
      if ((await readIfPresent(lockPath)) === standing) return await replace(lockPath, ownRecord);
    } finally {
      await rm(right, { force: true });
    }
  }
}

/** The path of the lock that gives the right to replace a dead owner's lock. */
export function takeOverPath(lockPath: string, standing: string): string {
  return `${lockPath}.${createHash('sha256').update(standing).digest('hex').slice(0, 16)}`;
}

/** Atomic: the lock is never free in between. */
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

/** One sentence for an error of the file system in the data folder. */
export function folderFailure(dataDir: string, error: unknown): unknown {
  const because = reasonOf(error);
  if (because === undefined) return error;
  return new StoreSetupError(
    `The data folder ${dataDir} ${because}, or choose another folder with OUTDIAL_DATA_DIR.`,
    error,
  );
}

function reasonOf(error: unknown): string | undefined {
  switch (errorCode(error)) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `is not writable (${errorText(error)}): give this account write permission`;
    case 'EEXIST':
    case 'ENOTDIR':
      return 'is not a folder: move that file away';
    case 'ENOENT':
      return `cannot be created (${errorText(error)}): create its parent folder`;
    case 'ENOSPC':
    case 'EDQUOT':
      return 'has no space left: free some';
    case undefined:
    default:
      return undefined;
  }
}
