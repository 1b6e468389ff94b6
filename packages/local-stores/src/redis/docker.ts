import { createHash } from 'node:crypto';

import type { Announce } from '../machine/announce.ts';
import { runCommand } from '../machine/command.ts';

/** The same major version as the compose file's. */
const REDIS_IMAGE = 'redis:7.4-alpine';

// A Docker client without its engine may wait long for it.
const ENGINE_ANSWER_MS = 3_000;
const PULL_LIMIT_MS = 300_000;

/** Whether a Docker engine answers: the `docker` program alone is no engine. */
export async function dockerEngineAnswers(docker: string): Promise<boolean> {
  const { succeeded } = await runCommand(docker, ['version', '--format', '{{.Server.Version}}'], {
    timeoutMs: ENGINE_ANSWER_MS,
  });
  return succeeded;
}

/** Whether the image is there or can be fetched. An engine without access to a registry is of no use. */
export async function imageIsAvailable(docker: string, announce: Announce): Promise<boolean> {
  if ((await runCommand(docker, ['image', 'inspect', REDIS_IMAGE])).succeeded) return true;
  announce(`Redis is not on this machine. Fetching the Docker image ${REDIS_IMAGE} …`);
  return (await runCommand(docker, ['pull', '--quiet', REDIS_IMAGE], { timeoutMs: PULL_LIMIT_MS })).succeeded;
}

/** One container name per folder: what an earlier run left behind is found by it, and nobody else's is touched. */
export function containerName(serverDir: string): string {
  return `outdial-redis-${createHash('sha256').update(serverDir).digest('hex').slice(0, 12)}`;
}

export interface RedisContainer {
  readonly serverDir: string;
  readonly port: number;
  readonly configFile: string;
}

/**
 * Arguments of a `docker run` that stays in the foreground and hands signals on, so that it is run and stopped like a
 * server of this machine. It runs under our account: the files in the folder stay ours. The image's own entrypoint would
 * give them, when that account is root, to whoever has the number of its account `redis` here.
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
