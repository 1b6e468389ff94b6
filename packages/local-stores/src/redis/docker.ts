import { createHash } from 'node:crypto';

import type { Announce } from '../machine/announce.ts';
import { runCommand } from '../machine/command.ts';

/** The same major version as the compose file's. */
const REDIS_IMAGE = 'redis:7.4-alpine';

// A Docker client without an engine may hang.
const ENGINE_ANSWER_MS = 3_000;
const PULL_LIMIT_MS = 300_000;

/** Whether a Docker engine answers: the `docker` program may be installed without one. */
export async function dockerEngineAnswers(docker: string): Promise<boolean> {
  const { succeeded } = await runCommand(docker, ['version', '--format', '{{.Server.Version}}'], {
    timeoutMs: ENGINE_ANSWER_MS,
  });
  return succeeded;
}

/** Whether the image exists or can be pulled. An engine without access to a registry is of no use. */
export async function imageIsAvailable(docker: string, announce: Announce): Promise<boolean> {
  if ((await runCommand(docker, ['image', 'inspect', REDIS_IMAGE])).succeeded) return true;
  announce(`Redis is not on this machine. Fetching the Docker image ${REDIS_IMAGE} …`);
  return (await runCommand(docker, ['pull', '--quiet', REDIS_IMAGE], { timeoutMs: PULL_LIMIT_MS })).succeeded;
}

/** One container name per folder: it identifies the leftovers of an earlier run and no other container. */
export function containerName(serverDir: string): string {
  return `outdial-redis-${createHash('sha256').update(serverDir).digest('hex').slice(0, 12)}`;
}

export interface RedisContainer {
  readonly serverDir: string;
  readonly port: number;
  readonly configFile: string;
}

/**
 * Arguments of a `docker run` that stays in the foreground and forwards signals, so that it runs and stops like a
 * server of this machine. It runs under our account, so the files in the folder stay ours. When our account is root,
 * the image's own entrypoint would change their owner to the account here that has the uid of the image's `redis`.
 */
export function redisContainerArgs(container: RedisContainer): readonly string[] {
  return [
    'run',
    '--rm',
    '--name',
    containerName(container.serverDir),
    '--user',
    `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`,
    '--publish',
    `127.0.0.1:${container.port}:${container.port}`,
    '--volume',
    `${container.serverDir}:/data`,
    '--entrypoint',
    'redis-server',
    REDIS_IMAGE,
    `/data/${container.configFile}`,
  ];
}
