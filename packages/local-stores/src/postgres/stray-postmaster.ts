import { execFileSync } from 'node:child_process';
import { readdirSync, readlinkSync } from 'node:fs';
import { readFile, realpath, rm } from 'node:fs/promises';
import { platform } from 'node:os';
import { join } from 'node:path';

import { identifyProcess } from '../machine/process-identity.ts';
import { endLeftoverProcess } from '../machine/server-process.ts';

/**
 * Clears the way for a new server in `clusterDir`. Postgres leaves `postmaster.pid` behind when it is killed, and
 * refuses to start while the pid in it belongs to anybody. A server that still works in this folder is ended; a pid
 * that meanwhile belongs to a stranger is left alone, and only the file goes.
 *
 * The file of a server that is gone stays: by it Postgres finds out whether children of that server still write. They
 * end by themselves within moments; those that do not are ended here.
 */
export async function endStrayPostmaster(clusterPath: string): Promise<void> {
  // As the system names it: a path may lead through a link.
  const clusterDir = await realpath(clusterPath).catch(() => clusterPath);
  const pidFile = join(clusterDir, 'postmaster.pid');
  const pid = Number.parseInt(await readFile(pidFile, 'utf8').catch(() => ''), 10);
  if (Number.isNaN(pid)) return;
  const stray = identifyProcess(pid);
  if (stray && worksIn(pid, clusterDir)) await endLeftoverProcess(stray, 'SIGINT');
  else if (stray) await rm(pidFile, { force: true });
  await Promise.all(orphansIn(clusterDir).map((orphan) => endLeftoverProcess(orphan, 'SIGTERM')));
}

/** A Postgres server's working directory is its data folder; where that cannot be read, its command line names it. */
function worksIn(pid: number, clusterDir: string): boolean {
  if (platform() === 'linux') return workingDir(pid) === clusterDir;
  try {
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).includes(clusterDir);
  } catch {
    return false;
  }
}

/** Elsewhere than on Linux nothing tells whose child a process was: there Postgres refuses to start until they ended. */
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
    // It has ended, or belongs to another account.
    return undefined;
  }
}
