import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { findRedis, removeDataFolder, startSentinel } from '@outdial/local-stores';
import { Redis } from 'ioredis';

import { announce, handleOf, privateRedis } from './private-redis.ts';
import { redisTlsPort } from './private-redis-tls.ts';
import { privateServer, type PrivateServer } from './private-server.ts';
import { makeTemporaryDir } from './temporary-dir.ts';

/** A primary, its replica, and the Sentinels that choose between them. */
export interface PrivateSentinels {
  /** `redis+sentinel://`, without the password of the Sentinels. */
  readonly url: string;
  readonly sentinelPassword: string;
  /** The first one is the primary at the start. */
  readonly nodes: readonly PrivateServer[];
  readonly sentinels: readonly PrivateServer[];
  /** The node that the first Sentinel names now. */
  primary(): Promise<PrivateServer>;
  /** A planned failover, as an operator asks for one. Resolves once it is under way. */
  failOver(): Promise<void>;
  close(): Promise<void>;
}

export interface PrivateSentinelsOptions {
  readonly downAfterMs?: number;
  /** With the certificate of `LOCALHOST_IDENTITY`; `url` then begins with `rediss+sentinel://`. */
  readonly withTls?: boolean;
}

const NAME = 'outdial';
const SENTINELS = 3;
const QUORUM = 2;
const POLL_MS = 50;
const NODE_SETTINGS = ['repl-diskless-sync-delay 0', 'repl-ping-replica-period 1'];
const TLS_NODE_SETTINGS = ['replica-announce-ip localhost'];
const TLS_SENTINEL_SETTINGS = [
  'sentinel resolve-hostnames yes',
  'sentinel announce-hostnames yes',
  'sentinel announce-ip localhost',
];

/** Starts a group for one test, on ports of this machine. Resolves once the Sentinels know each other and the replica. */
export async function privateRedisSentinels(options: PrivateSentinelsOptions = {}): Promise<PrivateSentinels> {
  const { downAfterMs = 1_000, withTls = false } = options;
  const password = randomBytes(24).toString('hex');
  const sentinelPassword = randomBytes(24).toString('hex');
  const closers: (() => Promise<void>)[] = [];
  const kept = async (starting: Promise<PrivateServer>) => {
    const server = await starting;
    closers.push(() => server.close());
    return server;
  };
  const ports = new Map<PrivateServer, number>();
  const publicPortOf = (server: PrivateServer) => ports.get(server) ?? portOf(server);
  /** Starts a server, with TLS or not. */
  const opened = async (ofTls: readonly string[], start: (settings: readonly string[]) => Promise<PrivateServer>) => {
    if (!withTls) return kept(start([]));
    const tls = await redisTlsPort();
    const server = await kept(start([...tls.settings, ...ofTls]));
    ports.set(server, tls.port);
    return server;
  };
  const node = (...settings: readonly string[]) =>
    opened(TLS_NODE_SETTINGS, (tls) =>
      privateRedis({ password, settings: [...NODE_SETTINGS, `masterauth ${password}`, ...tls, ...settings] }),
    );
  const close = async () =>
    void (await Promise.all(
      closers
        .splice(0)
        .toReversed()
        .map((closing) => closing()),
    ));
  try {
    const first = await node();
    const host = withTls ? 'localhost' : '127.0.0.1';
    const primary = { name: NAME, host, port: publicPortOf(first), password };
    const nodes = [first, await node(`replicaof ${host} ${primary.port}`)];
    await untilInSync(nodes[1]?.url ?? '');
    const plan = { password: sentinelPassword, primary, quorum: QUORUM, downAfterMs };
    const sentinels = await Promise.all(
      Array.from({ length: SENTINELS }, () =>
        opened(TLS_SENTINEL_SETTINGS, (settings) => privateSentinel({ ...plan, settings })),
      ),
    );
    await Promise.all(sentinels.map(({ url }) => untilComplete(url)));
    const ask = async (...words: readonly string[]) =>
      withClient(sentinels[0]?.url ?? '', (redis) => sentinel(redis, words));
    return {
      url: `${withTls ? 'rediss' : 'redis'}+sentinel://:${password}@${sentinels.map((one) => `${host}:${publicPortOf(one)}`).join(',')}/${NAME}`,
      sentinelPassword,
      nodes,
      sentinels,
      async primary() {
        const port = Number(texts(await ask('get-master-addr-by-name', NAME))[1]);
        const found = nodes.find((one) => publicPortOf(one) === port);
        if (found === undefined) throw new Error(`The Sentinels name port ${port}, which is no node of this group.`);
        return found;
      },
      // Refused while the Sentinel does not yet know how far the replica is.
      failOver: () => until(() => ask('failover', NAME).then(() => true)),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

type SentinelPlan = Omit<Parameters<typeof startSentinel>[0], 'serverDir' | 'program' | 'announce'>;

async function privateSentinel(plan: SentinelPlan): Promise<PrivateServer> {
  const dir = await makeTemporaryDir();
  const program = await findRedis(announce);
  const launch = async () =>
    handleOf(await startSentinel({ ...plan, serverDir: join(dir, 'sentinel'), program, announce }));
  return privateServer(launch, () => removeDataFolder(dir));
}

/** The replica has everything. */
export function untilInSync(url: string): Promise<void> {
  return until(async () =>
    (await withClient(url, (redis) => redis.info('replication'))).includes('master_link_status:up'),
  );
}

function untilComplete(url: string): Promise<void> {
  return until(async () => {
    const fields = texts(await withClient(url, (redis) => sentinel(redis, ['master', NAME])));
    const valueOf = (name: string) => Number(fields[fields.indexOf(name) + 1]);
    return valueOf('num-slaves') === 1 && valueOf('num-other-sentinels') === SENTINELS - 1;
  });
}

function sentinel(redis: Redis, words: readonly string[]): Promise<unknown> {
  return redis.call('SENTINEL', ...words);
}

function texts(reply: unknown): readonly string[] {
  return Array.isArray(reply) ? reply.map(String) : [];
}

export function portOf({ url }: Pick<PrivateServer, 'url'>): number {
  return Number(new URL(url).port);
}

/** For a few commands: the server may be stopped or killed at any time. */
export async function withClient<Answer>(url: string, work: (redis: Redis) => Promise<Answer>): Promise<Answer> {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null, commandTimeout: 5_000 });
  redis.on('error', () => {});
  try {
    await redis.connect();
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}

export async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds().catch(() => false))) await sleep(POLL_MS);
}
