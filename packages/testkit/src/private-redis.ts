import { join } from 'node:path';

import { findRedis, removeDataFolder, startRedis, type StoreProfile } from '@outdial/local-stores';

import { privateServer, type PrivateServer } from './private-server.ts';
import { makeTemporaryDir } from './temporary-dir.ts';

export interface PrivateRedisOptions {
  /** `fast` (the default) is empty after a restart; `durable` keeps its data. */
  readonly profile?: StoreProfile;
}

/** Starts a Redis for one test. */
export async function privateRedis(options: PrivateRedisOptions = {}): Promise<PrivateServer> {
  const { profile = 'fast' } = options;
  const dir = await makeTemporaryDir();
  const program = await findRedis(announce);
  const launch = async () => {
    const server = await startRedis({ serverDir: join(dir, 'redis'), profile, program, announce });
    return {
      url: server.url,
      stop: () => server.process.stop(),
      async kill() {
        server.process.signal('SIGKILL');
        await server.process.ended;
      },
      pause: async () => server.process.signal('SIGSTOP'),
      resume: async () => server.process.signal('SIGCONT'),
    };
  };
  return privateServer(launch, () => removeDataFolder(dir));
}

function announce(text: string): void {
  process.stdout.write(`${text}\n`);
}
