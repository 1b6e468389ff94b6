import { join } from 'node:path';

import { storeLogPath } from './launch-store.ts';
import type { Announce } from './machine/announce.ts';
import { claimDataFolder, folderFailure, type ClaimedFolder } from './machine/data-folder.ts';
import { logTail, type ServerProcess } from './machine/server.ts';
import type { PostgresProgram } from './postgres/find-postgres.ts';
import { startPostgres } from './postgres/postgres-server.ts';
import type { StoreProfile } from './profile.ts';
import { findRedis, type RedisProgram } from './redis/find-redis.ts';
import { startRedis } from './redis/redis-server.ts';

export interface OpenStoresOptions {
  /** Keeps the stores' data, passwords and logs between starts; created if missing. Unused when both URLs are given. */
  readonly dataDir: string;
  /** The claim on the same folder, if the caller already has it; the caller also releases it. */
  readonly claim?: ClaimedFolder | undefined;
  readonly profile: StoreProfile;
  /** An existing Redis: it is not started, checked or stopped here. */
  readonly redisUrl?: string | undefined;
  /** An existing Postgres, likewise. */
  readonly databaseUrl?: string | undefined;
  readonly announce: Announce;
  /** Ports that other servers will use, even if they are free now. */
  readonly avoidPorts?: readonly number[] | undefined;
}

/** A server of ours that ended although it was not closed. */
export interface StoreEnd {
  readonly name: 'Redis' | 'Postgres';
  /** `exit code 1`, `SIGKILL` */
  readonly how: string;
  readonly logPath: string;
  readonly lastLines: readonly string[];
}

export interface LocalStores {
  readonly redisUrl: string;
  readonly databaseUrl: string;
  readonly origin: {
    readonly redis: 'given' | RedisProgram['origin'];
    readonly postgres: 'given' | PostgresProgram['origin'];
  };
  /** Resolves when the first of our servers ends by itself. */
  readonly ended: Promise<StoreEnd>;
  /** Stops the servers that were started here, with their data saved, and releases the data folder. Idempotent. */
  close(): Promise<void>;
}

interface OpenedStore<Origin> {
  readonly name: StoreEnd['name'];
  readonly url: string;
  readonly origin: Origin | 'given';
  /** Absent for a given store. */
  readonly process?: ServerProcess;
}

const LOG_LINES = 10;

/**
 * Finds or installs Redis and Postgres and resolves once both answer.
 *
 * @throws StoreSetupError with one sentence for the user; no server is left running then.
 */
export async function openStores(options: OpenStoresOptions): Promise<LocalStores> {
  const allGiven = options.redisUrl !== undefined && options.databaseUrl !== undefined;
  const ownClaim = allGiven || options.claim ? undefined : await claimDataFolder(options.dataDir);
  const dataDir = (options.claim ?? ownClaim)?.path ?? options.dataDir;
  const [redis, postgres] = await Promise.allSettled([openRedis(dataDir, options), openPostgres(dataDir, options)]);
  const opened = [redis, postgres].flatMap((store) => (store.status === 'fulfilled' ? [store.value] : []));
  const closeAll = async () => {
    await Promise.all(opened.map(async ({ process }) => process?.stop()));
    // Last: the next owner must not find one of our servers still writing.
    await ownClaim?.release();
  };
  if (redis.status === 'rejected' || postgres.status === 'rejected') {
    await closeAll();
    const failed = redis.status === 'rejected' ? redis : postgres;
    throw folderFailure(options.dataDir, failed.status === 'rejected' && failed.reason);
  }
  let closing: Promise<void> | undefined;
  return {
    redisUrl: redis.value.url,
    databaseUrl: postgres.value.url,
    origin: { redis: redis.value.origin, postgres: postgres.value.origin },
    ended: new Promise((resolve) => {
      const watch = async ({ name, process }: OpenedStore<string>) => {
        if (!process) return;
        const { code, signal } = await process.ended;
        if (closing) return;
        const logPath = storeLogPath({ name, serverDir: join(dataDir, name.toLowerCase()) });
        resolve({ name, how: signal ?? `exit code ${code}`, logPath, lastLines: logTail(logPath, LOG_LINES) });
      };
      for (const store of opened) void watch(store);
    }),
    close: () => (closing ??= closeAll()),
  };
}

async function openRedis(dataDir: string, options: OpenStoresOptions): Promise<OpenedStore<RedisProgram['origin']>> {
  const name = 'Redis';
  if (options.redisUrl !== undefined) return { name, url: options.redisUrl, origin: 'given' };
  const program = await findRedis(options.announce);
  return {
    name,
    origin: program.origin,
    ...(await startRedis({ ...options, serverDir: join(dataDir, 'redis'), program })),
  };
}

async function openPostgres(
  dataDir: string,
  options: OpenStoresOptions,
): Promise<OpenedStore<PostgresProgram['origin']>> {
  const name = 'Postgres';
  if (options.databaseUrl !== undefined) return { name, url: options.databaseUrl, origin: 'given' };
  return { name, ...(await startPostgres({ ...options, serverDir: join(dataDir, 'postgres') })) };
}
