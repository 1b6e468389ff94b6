import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Redis } from 'ioredis';

import { launchStore, storeLogPath, storeRecordPath } from '../launch-store.ts';
import type { Announce } from '../machine/announce.ts';
import { createSecret, readSecret } from '../machine/secret.ts';
import { endLeftover, type ServerProcess } from '../machine/server.ts';
import { StoreSetupError } from '../machine/setup-error.ts';
import type { StoreProfile } from '../profile.ts';
import type { RedisProgram } from './find-redis.ts';

export interface RedisServerOptions {
  /** Absolute; contains the configuration, the password, the log and the data. */
  readonly serverDir: string;
  readonly profile: StoreProfile;
  readonly program: RedisProgram;
  readonly announce: Announce;
  readonly avoidPorts?: readonly number[] | undefined;
  /** Default: generated at the first start. The servers of a group share one. */
  readonly password?: string | undefined;
  /** More lines of redis.conf, of a server that belongs to a group. */
  readonly settings?: readonly string[] | undefined;
}

export interface RedisServer {
  readonly url: string;
  readonly process: ServerProcess;
}

const NAME = 'Redis';
const PORT_TAKEN = /address already in use/i;
const DAMAGE =
  /MANIFEST FILE ERROR|reading the (append only|RDB|AOF)|of the AOF file|the AOF file .+ length|Bad file format|RDB format version/i;

/** Starts a private, password-protected Redis on a port of 127.0.0.1. Resolves once it answers with its data loaded. */
export async function startRedis(options: RedisServerOptions): Promise<RedisServer> {
  const { serverDir } = options;
  await mkdir(serverDir, { recursive: true, mode: 0o700 });
  await endLeftoverRedis(serverDir);
  const passwordPath = join(serverDir, 'password');
  const password = options.password ?? (await readSecret(passwordPath)) ?? (await createSecret(passwordPath));
  const configPath = join(serverDir, 'redis.conf');
  await writeFile(configPath, redisConfig(options, password), { mode: 0o600 });
  const url = (port: number) => `redis://:${password}@127.0.0.1:${port}/0`;
  const { port, process } = await launchStore({
    ...options,
    name: NAME,
    command: options.program.command,
    args: (port) => [configPath, '--port', String(port)],
    stopSignal: 'SIGTERM',
    isReady: (port) => answers(url(port)),
    passing: PORT_TAKEN,
    failure: (log) => startFailure(serverDir, log),
  });
  return { url: url(port), process };
}

/** Ends a server that outlived its owner in this folder, if there is one. */
export function endLeftoverRedis(serverDir: string): Promise<void> {
  return endLeftover(storeRecordPath({ name: NAME, serverDir }), 'SIGTERM');
}

/** The text of redis.conf. A file, because every account can see arguments and one value is a password. */
function redisConfig({ profile, serverDir, settings = [] }: RedisServerOptions, password: string): string {
  const persistence =
    profile === 'durable' ? ['appendonly yes', 'appendfsync everysec'] : ['appendonly no', 'databases 512'];
  return [
    'bind 127.0.0.1',
    `requirepass ${password}`,
    `dir ${quoted(serverDir)}`,
    'daemonize no',
    // An evicted key would be a lost reservation.
    'maxmemory-policy noeviction',
    // The append-only file is the only persistence; a snapshot beside it would be a second, older copy.
    'save ""',
    ...persistence,
    ...settings,
    '',
  ].join('\n');
}

function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

/** Whether Redis answers a PING, which it rejects while it loads its data. */
export async function answers(url: string): Promise<boolean> {
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null, enableReadyCheck: false });
  // A refused connection also arrives as an event; without a listener ioredis prints it.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.ping();
    return true;
  } catch {
    return false;
  } finally {
    client.disconnect();
  }
}

function startFailure(serverDir: string, log: readonly string[]): StoreSetupError {
  if (log.some((line) => DAMAGE.test(line))) {
    return new StoreSetupError(
      `The Redis data in ${serverDir} is damaged, or a newer Redis wrote it: move that folder away and start again; Outdial rebuilds it from Postgres.`,
    );
  }
  const logPath = storeLogPath({ name: NAME, serverDir });
  return new StoreSetupError(
    `Redis did not start (${log.at(-1) ?? 'no output'}): see ${logPath}, or set REDIS_URL to your own Redis.`,
  );
}
