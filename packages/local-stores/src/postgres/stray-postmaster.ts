import { execFileSync } from 'node:child_process';
import { readdirSync, readlinkSync } from 'node:fs';
import { readFile, realpath, rm } from 'node:fs/promises';
import { platform } from 'node:os';
import { join } from 'node:path';

import { identifyProcess } from '../machine/process-identity.ts';
import { endLeftoverProcess } from '../machine/server-process.ts';

/**
 * Prepares `clusterDir` for a new server. A killed Postgres leaves `postmaster.pid` behind, and Postgres does not
 * start while any process has the pid in it. A server that still works in this folder is ended. When the pid belongs
 * to an unrelated process, only the file is removed.
 *
 * The file of a dead server stays: Postgres uses it to detect children of that server that still write. They normally
 * end within moments; those that do not are ended here.
 */
export async function endStrayPostmaster(clusterPath: string): Promise<void> {
  // The real path, as the system reports it: the given path may lead through a link.
  const clusterDir = await realpath(clusterPath).catch(() => clusterPath);
  const pidFile = join(clusterDir, 'postmaster.pid');
  const pid = Number.parseInt(await readFile(pidFile, 'utf8').catch(() => ''), 10);
  if (Number.isNaN(pid)) return;
  const stray = identifyProcess(pid);
  if (stray && worksIn(pid, clusterDir)) await endLeftoverProcess(stray, 'SIGINT');
  else if (stray) await rm(pidFile, { force: true });
  await Promise.all(orphansIn(clusterDir).map((orphan) => endLeftoverProcess(orphan, 'SIGTERM')));
}

/**
 * A Postgres server's working directory is its data folder; if that is unreadable, its command line names the folder.
 */
function worksIn(pid: number, clusterDir: string): boolean {
  if (platform() === 'linux') return workingDir(pid) === clusterDir;
  try {
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).includes(clusterDir);
  } catch {
    return false;
  }
}

/** Only Linux shows whose child a process was. Elsewhere Postgres refuses to start until they have ended. */
function orphansIn(clusterDir: string) {
  if (platform() !== 'linux') return [];
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && workingDir(pid) === clusterDir)
    .flatMap((pid) => identifyProcess(pid) ?? []);
}

function workingDir(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    // The process has ended or belongs to another account.
    return undefined;
  }
}
