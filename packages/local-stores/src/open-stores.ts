import { join } from 'node:path';

import { superviseServer, type SupervisedServer } from './supervised-server.ts';
import type { Announce } from './machine/announce.ts';
import { claimDataFolder, folderFailure, type ClaimedFolder } from './machine/data-folder.ts';
import type { ServerEnd } from './machine/server-process.ts';
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

export type StoreName = 'redis' | 'postgres';

export interface LocalStores {
  readonly redisUrl: string;
  readonly databaseUrl: string;
  readonly origin: {
    readonly redis: 'given' | RedisProgram['origin'];
    readonly postgres: 'given' | PostgresProgram['origin'];
  };
  /** Calls the listener when one of our servers exits unexpectedly; at once if one already has. */
  onExit(listener: (store: StoreName, end: ServerEnd) => void): void;
  /** Restarts such a server with its data, at its URL. @throws StoreSetupError with one sentence. */
  restart(store: StoreName): Promise<void>;
  /** Stops the servers that were started here, with their data saved, and releases the data folder. Idempotent. */
  close(): Promise<void>;
}

interface OpenedStore<Origin> {
  readonly url: string;
  readonly origin: Origin | 'given';
  /** Absent for a given store. */
  readonly server?: SupervisedServer;
}

/**
 * Finds or installs Redis and Postgres and resolves once both answer.
 *
 * @throws StoreSetupError with one sentence for the user; no server is left running then.
 */
export async function openStores(options: OpenStoresOptions): Promise<LocalStores> {
  try {
    return await openAll(options);
  } catch (error) {
    throw folderFailure(options.dataDir, error);
  }
}

async function openAll(options: OpenStoresOptions): Promise<LocalStores> {
  const allGiven = options.redisUrl !== undefined && options.databaseUrl !== undefined;
  const ownClaim = allGiven || options.claim ? undefined : await claimDataFolder(options.dataDir);
  const dataDir = (options.claim ?? ownClaim)?.path ?? options.dataDir;
  const [redis, postgres] = await Promise.allSettled([openRedis(dataDir, options), openPostgres(dataDir, options)]);
  const closeAll = async () => {
    const opened = [redis, postgres].flatMap((store) => (store.status === 'fulfilled' ? [store.value] : []));
    await Promise.all(opened.map(async ({ server }) => server?.stop()));
    // Last: the next owner must not find one of our servers still writing.
    await ownClaim?.release();
  };
  if (redis.status === 'rejected' || postgres.status === 'rejected') {
    await closeAll();
    throw redis.status === 'rejected' ? redis.reason : postgres.status === 'rejected' && postgres.reason;
  }
  const servers = { redis: redis.value.server, postgres: postgres.value.server };
  let closing: Promise<void> | undefined;
  return {
    redisUrl: redis.value.url,
    databaseUrl: postgres.value.url,
    origin: { redis: redis.value.origin, postgres: postgres.value.origin },
    onExit(listener) {
      servers.redis?.onExit((end) => listener('redis', end));
      servers.postgres?.onExit((end) => listener('postgres', end));
    },
    async restart(store) {
      await servers[store]?.restart();
    },
    close: () => (closing ??= closeAll()),
  };
}

async function openRedis(dataDir: string, options: OpenStoresOptions): Promise<OpenedStore<RedisProgram['origin']>> {
  if (options.redisUrl !== undefined) return { url: options.redisUrl, origin: 'given' };
  const { profile, announce, avoidPorts } = options;
  const program = await findRedis(announce);
  const launch = () => startRedis({ serverDir: join(dataDir, 'redis'), profile, program, announce, avoidPorts });
  const server = superviseServer('Redis', await launch(), launch);
  return { url: server.url, origin: program.origin, server };
}

async function openPostgres(
  dataDir: string,
  options: OpenStoresOptions,
): Promise<OpenedStore<PostgresProgram['origin']>> {
  if (options.databaseUrl !== undefined) return { url: options.databaseUrl, origin: 'given' };
  const { profile, announce, avoidPorts } = options;
  const launch = () => startPostgres({ serverDir: join(dataDir, 'postgres'), profile, announce, avoidPorts });
  const first = await launch();
  const server = superviseServer('Postgres', first, launch);
  return { url: server.url, origin: first.origin, server };
}
