import { join } from 'node:path';

import { removeDataFolder, startPostgres, type StoreProfile } from '@outdial/local-stores';
import { applyMigrations } from '@outdial/migrations';

import { copyPostgresSeed } from './postgres-seed.ts';
import { privateServer, type PrivateServer } from './private-server.ts';
import { signalTree } from './process-tree.ts';
import { makeTemporaryDir } from './temporary-dir.ts';

export interface PrivatePostgresOptions {
  /** `fast` is the default; both profiles keep their data through `stop` and `kill`, since the machine stays up. */
  readonly profile?: StoreProfile;
  /** Default: to the newest migration. */
  readonly migrate?: (databaseUrl: string) => Promise<unknown>;
}

/** Starts a Postgres with a migrated database for one test. */
export async function privatePostgres(options: PrivatePostgresOptions = {}): Promise<PrivateServer> {
  const { profile = 'fast', migrate } = options;
  const dir = await makeTemporaryDir();
  const serverDir = join(dir, 'postgres');
  const isMigrated = migrate === undefined && (await copyPostgresSeed(serverDir, announce));
  const launch = async () => {
    const server = await startPostgres({ serverDir, profile, announce });
    return {
      url: server.url,
      stop: () => server.process.stop(),
      async kill() {
        signalTree(server.process.pid, 'SIGKILL');
        await server.process.ended;
      },
      pause: async () => signalTree(server.process.pid, 'SIGSTOP'),
      resume: async () => signalTree(server.process.pid, 'SIGCONT'),
    };
  };
  const server = await privateServer(launch, () => removeDataFolder(dir));
  try {
    if (migrate) await migrate(server.url);
    else if (!isMigrated) await applyMigrations({ databaseUrl: server.url });
    return server;
  } catch (error) {
    await server.close();
    throw error;
  }
}

function announce(text: string): void {
  process.stdout.write(`${text}\n`);
}
