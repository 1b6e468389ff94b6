import type { Announce } from '../machine/announce.ts';
import { findProgram, runCommand } from '../machine/command.ts';
import { StoreSetupError } from '../machine/setup-error.ts';
import { dockerEngineAnswers, imageIsAvailable } from './docker.ts';
import { installCommand, installRedis } from './install-redis.ts';

/** How Redis runs on this machine, and where it came from. */
export interface RedisProgram {
  readonly origin: 'path' | 'docker' | 'installed';
  /** The server's program, or `docker`. */
  readonly command: string;
}

// Package managers also install to folders that PATH may lack.
const USUAL_FOLDERS = ['/usr/bin', '/usr/local/bin', '/opt/homebrew/bin', '/opt/homebrew/opt/redis/bin'];

const OLDEST_VERSION = [6, 2] as const;

/**
 * Finds or installs Redis: a server on PATH or in `usualFolders`, then Docker, then the system's package manager.
 * Changes to the machine are announced first. When none of these works, the error names the one command to run.
 */
export async function findRedis(
  announce: Announce,
  usualFolders: readonly string[] = USUAL_FOLDERS,
): Promise<RedisProgram> {
  const present = await serverOnPath(usualFolders);
  if (present !== undefined) return { origin: 'path', command: present };

  const docker = await findProgram('docker');
  if (docker !== undefined && (await dockerEngineAnswers(docker)) && (await imageIsAvailable(docker, announce))) {
    return { origin: 'docker', command: docker };
  }

  await installRedis(announce);
  const installed = await serverOnPath(usualFolders);
  if (installed !== undefined) return { origin: 'installed', command: installed };
  throw new StoreSetupError(
    `The Redis that was installed is missing or older than 6.2: run \`${await installCommand()}\`, or set REDIS_URL to your own Redis.`,
  );
}

async function serverOnPath(usualFolders: readonly string[]): Promise<string | undefined> {
  for (const name of ['redis-server', 'valkey-server']) {
    const path = await findProgram(name, usualFolders);
    if (path !== undefined && (await isRecentEnough(path))) return path;
  }
  return undefined;
}

/** Older versions lack commands that the scripts use. `redis-server --version` prints `Redis server v=7.0.15 sha=…`. */
async function isRecentEnough(command: string): Promise<boolean> {
  const { stdout } = await runCommand(command, ['--version'], { timeoutMs: 5_000 });
  const version = /\bv=(\d+)\.(\d+)/.exec(stdout);
  if (!version) return false;
  const [major, minor] = [Number(version[1]), Number(version[2])];
  return major > OLDEST_VERSION[0] || (major === OLDEST_VERSION[0] && minor >= OLDEST_VERSION[1]);
}
