import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { Redis } from 'ioredis';

import { announceIfSlow, type Announce } from '../machine/announce.ts';
import { runCommand } from '../machine/command.ts';
import { freePort, rememberedPort, rememberPort } from '../machine/free-port.ts';
import { createSecret, readSecret } from '../machine/secret.ts';
import { logTail } from '../machine/server-log.ts';
import { endLeftover, startServer, type ServerProcess } from '../machine/server-process.ts';
import { StoreSetupError } from '../machine/setup-error.ts';
import type { StoreProfile } from '../profile.ts';
import { redisConfig } from './config.ts';
import { containerName, redisContainerArgs } from './docker.ts';
import type { RedisProgram } from './find-redis.ts';

export interface RedisServerOptions {
  /** Absolute; contains the configuration, the password, the log and the data. */
  readonly serverDir: string;
  readonly profile: StoreProfile;
  readonly program: RedisProgram;
  readonly announce: Announce;
  readonly avoidPorts?: readonly number[] | undefined;
}

export interface RedisServer {
  readonly url: string;
  readonly process: ServerProcess;
  /** Signals the server itself, also in a container. */
  signal(signal: NodeJS.Signals): Promise<void>;
  stop(): Promise<void>;
}

const CONFIG_FILE = 'redis.conf';
const START_LIMIT_MS = 60_000;
const PORT_ATTEMPTS = 5;

/** Starts a private, password-protected Redis on a port of 127.0.0.1. Resolves once it answers with its data loaded. */
export async function startRedis(options: RedisServerOptions): Promise<RedisServer> {
  const { serverDir, program } = options;
  await mkdir(serverDir, { recursive: true, mode: 0o700 });
  await removeLeftover(serverDir, program);
  const passwordPath = join(serverDir, 'password');
  const password = (await readSecret(passwordPath)) ?? (await createSecret(passwordPath));
  for (let attempt = 1; ; attempt += 1) {
    const preferred = attempt === 1 ? await rememberedPort(serverDir) : undefined;
    const port = await freePort({ preferred, avoid: options.avoidPorts });
    const outcome = await startOnPort(options, port, password);
    if (outcome !== 'port_taken') return outcome;
    if (attempt === PORT_ATTEMPTS) {
      throw new StoreSetupError('Every port that Redis tried on 127.0.0.1 was in use: try again.');
    }
  }
}

async function startOnPort(
  options: RedisServerOptions,
  port: number,
  password: string,
): Promise<RedisServer | 'port_taken'> {
  const { serverDir, program, profile, announce } = options;
  const inContainer = program.origin === 'docker';
  const configPath = join(serverDir, CONFIG_FILE);
  const place = inContainer
    ? { dir: '/data', bind: '0.0.0.0' as const }
    : { dir: serverDir, bind: '127.0.0.1' as const };
  await writeFile(configPath, redisConfig({ profile, port, password, ...place }), { mode: 0o600 });
  const logPath = join(serverDir, 'redis.log');
  const server = await startServer({
    command: program.command,
    args: inContainer ? redisContainerArgs({ serverDir, port, configFile: CONFIG_FILE }) : [configPath],
    logPath,
    pidPath: pidPath(serverDir),
    stopSignal: 'SIGTERM',
  });
  const url = `redis://:${password}@127.0.0.1:${port}/0`;
  const ready = await announceIfSlow(announce, 'Waiting for Redis to load its data …', answers(url, server));
  if (!ready) {
    await server.stop();
    const log = logTail(logPath, 30);
    if (log.some((line) => /address already in use|port is already allocated/i.test(line))) return 'port_taken';
    throw startFailure(serverDir, log);
  }
  await rememberPort(serverDir, port);
  return {
    url,
    process: server,
    signal: (signal) => (inContainer ? signalContainer(program, serverDir, signal) : signalHere(server, signal)),
    stop: () => server.stop(),
  };
}

/** Resolves to true once Redis answers a PING, to false when it has ended or is still silent at the limit. */
async function answers(url: string, server: ServerProcess): Promise<boolean> {
  const deadline = performance.now() + START_LIMIT_MS;
  while (!server.hasEnded() && performance.now() < deadline) {
    const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null, enableReadyCheck: false });
    // A refused connection also arrives as an event; without a listener ioredis prints it.
    client.on('error', () => {});
    try {
      await client.connect();
      // Redis rejects this while it loads its data.
      await client.ping();
      return true;
    } catch {
      await sleep(20);
    } finally {
      client.disconnect();
    }
  }
  return false;
}

/** Ends a server that outlived its owner in this folder, if there is one. */
export function endLeftoverRedis(serverDir: string): Promise<void> {
  return endLeftover(pidPath(serverDir), 'SIGTERM');
}

function pidPath(serverDir: string): string {
  return join(serverDir, 'redis.pid.json');
}

async function removeLeftover(serverDir: string, program: RedisProgram): Promise<void> {
  await endLeftoverRedis(serverDir);
  if (program.origin === 'docker') {
    await runCommand(program.command, ['rm', '--force', containerName(serverDir)], { timeoutMs: 30_000 });
  }
}

async function signalContainer(program: RedisProgram, serverDir: string, signal: NodeJS.Signals): Promise<void> {
  await runCommand(program.command, ['kill', '--signal', signal.slice(3), containerName(serverDir)]);
}

async function signalHere(server: ServerProcess, signal: NodeJS.Signals): Promise<void> {
  server.signal(signal);
}

const DAMAGE =
  /MANIFEST FILE ERROR|reading the (append only|RDB|AOF)|of the AOF file|the AOF file .+ length|Bad file format/i;

function startFailure(serverDir: string, log: readonly string[]): StoreSetupError {
  if (log.some((line) => DAMAGE.test(line))) {
    return new StoreSetupError(
      `The Redis data in ${serverDir} is damaged, or a newer Redis wrote it: move that folder away and start again; Outdial rebuilds it from Postgres.`,
    );
  }
  return new StoreSetupError(
    `Redis did not start (${log.at(-1) ?? 'no output'}): see ${join(serverDir, 'redis.log')}, or set REDIS_URL to your own Redis.`,
  );
}
