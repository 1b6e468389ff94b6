import type { Announce } from '../machine/announce.ts';
import { findProgram, runCommand } from '../machine/command.ts';
import { StoreSetupError } from '../machine/setup-error.ts';
import { INSTALL_HINT, installRedis } from './install-redis.ts';

/** The server's program on this machine, and where it came from. */
export interface RedisProgram {
  readonly origin: 'path' | 'installed';
  readonly command: string;
}

// Package managers also install to folders that PATH may lack.
const USUAL_FOLDERS = ['/usr/bin', '/usr/local/bin', '/opt/homebrew/bin', '/opt/homebrew/opt/redis/bin'];

/** Older versions lack commands that the scripts use. */
const OLDEST_VERSION = 6.2;

/**
 * Finds a server on PATH or in `usualFolders`, or installs one with the system's package manager, which is announced
 * first. When neither works, the error names the one command to run.
 */
export async function findRedis(
  announce: Announce,
  usualFolders: readonly string[] = USUAL_FOLDERS,
): Promise<RedisProgram> {
  const present = await serverOnPath(usualFolders);
  if (present !== undefined) return { origin: 'path', command: present };
  await installRedis(announce);
  const installed = await serverOnPath(usualFolders);
  if (installed !== undefined) return { origin: 'installed', command: installed };
  throw new StoreSetupError(
    `The Redis that was installed is missing or older than ${OLDEST_VERSION}: ${INSTALL_HINT}, or set REDIS_URL to your own Redis.`,
  );
}

async function serverOnPath(usualFolders: readonly string[]): Promise<string | undefined> {
  for (const name of ['redis-server', 'valkey-server']) {
    const path = await findProgram(name, usualFolders);
    if (path !== undefined && (await versionOf(path)) >= OLDEST_VERSION) return path;
  }
  return undefined;
}

/** `redis-server --version` prints `Redis server v=7.0.15 sha=…`. */
async function versionOf(command: string): Promise<number> {
  const { stdout } = await runCommand(command, ['--version'], { timeoutMs: 5_000 });
  return Number(/\bv=(\d+\.\d+)/.exec(stdout)?.[1] ?? 0);
}
