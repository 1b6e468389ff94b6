import { join } from 'node:path';

import { findRedis, removeDataFolder, startRedis, type RedisServer, type StoreProfile } from '@outdial/local-stores';

import { privateServer, type PrivateServer, type ServerHandle } from './private-server.ts';
import { makeTemporaryDir } from './temporary-dir.ts';

export interface PrivateRedisOptions {
  /** `fast` (the default) is empty after a restart; `durable` keeps its data. */
  readonly profile?: StoreProfile;
  /** Default: generated. */
  readonly password?: string;
  /** More lines of redis.conf. */
  readonly settings?: readonly string[];
}

/** Starts a Redis for one test. */
export async function privateRedis(options: PrivateRedisOptions = {}): Promise<PrivateServer> {
  const { profile = 'fast', password, settings } = options;
  const dir = await makeTemporaryDir();
  const program = await findRedis(announce);
  const launch = async () => {
    const server = await startRedis({ serverDir: join(dir, 'redis'), profile, program, announce, password, settings });
    return handleOf(server);
  };
  return privateServer(launch, () => removeDataFolder(dir));
}

/** What a test may do to a server of Redis, or to a Sentinel. */
export function handleOf({ url, process: server }: RedisServer): ServerHandle {
  return {
    url,
    stop: () => server.stop(),
    async kill() {
      server.signal('SIGKILL');
      await server.ended;
    },
    pause: async () => server.signal('SIGSTOP'),
    resume: async () => server.signal('SIGCONT'),
  };
}

export function announce(text: string): void {
  process.stdout.write(`${text}\n`);
}
