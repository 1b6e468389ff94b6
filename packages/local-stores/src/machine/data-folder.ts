import { randomUUID } from 'node:crypto';
import { link, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { recordedProcess, recordProcess } from './pid-record.ts';
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

/** `link` fails where the name exists, which makes taking the lock one atomic step. */
async function takeLock(path: string, lockPath: string): Promise<void> {
  const ownRecord = join(path, `owner-${randomUUID()}.json`);
  await writeFile(ownRecord, '', { mode: 0o600 });
  recordProcess(ownRecord, process.pid);
  try {
    for (let attempt = 0; attempt < 3; attempt += 1) {
      if (await linkIfAbsent(ownRecord, lockPath)) return;
      const owner = recordedProcess(lockPath);
      if (owner) throw folderInUse(path, owner.pid);
      await removeStaleLock(lockPath);
    }
    throw folderInUse(path, undefined);
  } finally {
    await rm(ownRecord, { force: true });
  }
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

/** Of two processes that both found the lock stale, one must not remove what the other has just taken. */
async function removeStaleLock(lockPath: string): Promise<void> {
  const aside = `${lockPath}.${randomUUID()}`;
  try {
    await rename(lockPath, aside);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw error;
  }
  if (recordedProcess(aside)) await linkIfAbsent(aside, lockPath);
  await rm(aside, { force: true });
}

function folderInUse(path: string, pid: number | undefined): StoreSetupError {
  const holder = pid === undefined ? 'Another process' : `Process ${pid}`;
  return new StoreSetupError(
    `${holder} already uses the data folder ${path}: stop it first, or choose another folder with OUTDIAL_DATA_DIR.`,
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
