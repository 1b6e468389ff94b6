import { randomBytes } from 'node:crypto';

import { freePort } from '@outdial/local-stores';

import { privateRedis } from './private-redis.ts';
import { redisTlsPort } from './private-redis-tls.ts';
import type { PrivateServer } from './private-server.ts';
import { portOf, until, untilInSync, withClient } from './private-sentinels.ts';

/** Three primaries of a Redis Cluster, of which the gate and the queue use different ones. */
export interface PrivateRedisCluster {
  /** `redis+cluster://`, or with TLS `rediss+cluster://` */
  readonly url: string;
  readonly primaries: readonly PrivateServer[];
  /** None, or one for each primary in the same order. */
  readonly replicas: readonly PrivateServer[];
  close(): Promise<void>;
}

export interface PrivateRedisClusterOptions {
  /** With replicas a primary that is gone is replaced. */
  readonly withReplicas?: boolean;
  readonly nodeTimeoutMs?: number;
  /** With the certificate of `LOCALHOST_IDENTITY`; `url` then begins with `rediss+cluster://`. */
  readonly withTls?: boolean;
}

/** The slot of `{outdial}` is 10246 and that of `{outdial-queue}` is 10359: two nodes. */
const SLOTS = [
  [0, 5_460],
  [5_461, 10_300],
  [10_301, 16_383],
] as const;

const TLS_SETTINGS = [
  'tls-cluster yes',
  'cluster-announce-hostname localhost',
  'cluster-preferred-endpoint-type hostname',
];

/** Starts a cluster for one test, on ports of this machine. Resolves once it takes commands. */
export async function privateRedisCluster(options: PrivateRedisClusterOptions = {}): Promise<PrivateRedisCluster> {
  const { withReplicas = false, nodeTimeoutMs = 2_000, withTls = false } = options;
  const password = randomBytes(24).toString('hex');
  const closers: (() => Promise<void>)[] = [];
  const close = async () => void (await Promise.all(closers.splice(0).map((closing) => closing())));
  const node = async () => {
    const [busPort, tls] = await Promise.all([freePort(), withTls ? redisTlsPort() : null]);
    const settings = [
      ...(tls ? [...tls.settings, ...TLS_SETTINGS] : []),
      'cluster-enabled yes',
      `cluster-port ${busPort}`,
      `cluster-node-timeout ${nodeTimeoutMs}`,
      // A replica that lost its primary long ago may still take over: nothing here is the truth.
      'cluster-replica-validity-factor 0',
      'repl-diskless-sync-delay 0',
      `masterauth ${password}`,
    ];
    const server = await privateRedis({ password, settings });
    closers.push(() => server.close());
    return { server, busPort, port: tls?.port ?? portOf(server) };
  };
  try {
    const nodes = await Promise.all(Array.from({ length: withReplicas ? 6 : 3 }, node));
    const [primaries, replicas] = [nodes.slice(0, SLOTS.length), nodes.slice(SLOTS.length)];
    for (const [index, { server }] of nodes.entries()) {
      await cluster(server, 'SET-CONFIG-EPOCH', String(index + 1));
      const [from, to] = SLOTS[index] ?? [];
      if (from !== undefined) await cluster(server, 'ADDSLOTSRANGE', String(from), String(to));
    }
    for (const { port, busPort } of nodes.slice(1)) {
      const [first] = nodes;
      if (first) await cluster(first.server, 'MEET', '127.0.0.1', String(port), String(busPort));
    }
    await Promise.all(nodes.map(({ server }) => untilKnown(server, nodes.length)));
    for (const [index, { server }] of replicas.entries()) {
      const primary = primaries[index];
      if (!primary) continue;
      const id = String(await cluster(primary.server, 'MYID'));
      // Refused until the replica has heard of its primary.
      await until(() => cluster(server, 'REPLICATE', id).then(() => true));
      await untilInSync(server.url);
    }
    return {
      url: withTls
        ? `rediss+cluster://:${password}@${primaries.map(({ port }) => `localhost:${port}`).join(',')}`
        : `redis+cluster://:${password}@${primaries.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
      primaries: primaries.map(({ server }) => server),
      replicas: replicas.map(({ server }) => server),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function untilKnown(server: PrivateServer, count: number): Promise<void> {
  return until(async () => {
    const info = String(await cluster(server, 'INFO'));
    return info.includes('cluster_state:ok') && info.includes(`cluster_known_nodes:${count}\r`);
  });
}

function cluster({ url }: PrivateServer, ...words: readonly string[]): Promise<unknown> {
  return withClient(url, (redis) => redis.call('CLUSTER', ...words));
}
