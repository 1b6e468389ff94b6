import { join } from 'node:path';

import { keepServer, type KeptServer } from './kept-server.ts';
import type { Announce } from './machine/announce.ts';
import { claimDataFolder, folderFailure, type ClaimedFolder } from './machine/data-folder.ts';
import type { ServerEnd } from './machine/server-process.ts';
import type { PostgresProgram } from './postgres/find-postgres.ts';
import { startPostgres } from './postgres/postgres-server.ts';
import type { StoreProfile } from './profile.ts';
import { findRedis, type RedisProgram } from './redis/find-redis.ts';
import { startRedis } from './redis/redis-server.ts';

export interface OpenStoresOptions {
  /** Holds the stores' data, passwords and logs between starts; made if it is missing. Unused when both URLs are given. */
  readonly dataDir: string;
  /** The same folder, if the caller has claimed it already; it stays the caller's to release. */
  readonly claim?: ClaimedFolder | undefined;
  readonly profile: StoreProfile;
  /** A Redis that is there already: nothing of it is started, checked or stopped here. */
  readonly redisUrl?: string | undefined;
  /** A Postgres that is there already, in the same sense. */
  readonly databaseUrl?: string | undefined;
  readonly announce: Announce;
  /** Ports that others will listen on, though nobody does yet. */
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
  /** Hears of a server of ours that ended without having been asked to; at once, if one has already. */
  onExit(listener: (store: StoreName, end: ServerEnd) => void): void;
  /** Starts such a server again: with its data, at its URL. @throws StoreSetupError with one sentence. */
  restart(store: StoreName): Promise<void>;
  /** Stops what was started here, with its data saved, and frees the data folder. Idempotent. */
  close(): Promise<void>;
}

interface OpenedStore<Origin> {
  readonly url: string;
  readonly origin: Origin | 'given';
  /** Absent for a store that was given. */
  readonly server?: KeptServer;
}

/**
 * Finds or gets Redis and Postgres and resolves once both answer.
 *
 * @throws StoreSetupError with one sentence for the person at the terminal; nothing is left running then.
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
    // Last: the next owner must not find a server of ours still writing.
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
  const server = keepServer('Redis', await launch(), launch);
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
  const server = keepServer('Postgres', first, launch);
  return { url: server.url, origin: first.origin, server };
}
