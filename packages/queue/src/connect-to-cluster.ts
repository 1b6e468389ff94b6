import type { RedisAddress } from '@outdial/kernel';
import { Cluster } from 'ioredis';
import type { Patience } from './patience.ts';

type ClusterAddress = Extract<RedisAddress, { readonly kind: 'cluster' }>;

/** How long a command that was redirected or refused waits before its next attempt. */
const RETRY_AFTER_MS = 100;
/** Attempts of a command that must fail soon: together shorter than its timeout. */
const HURRIED_ATTEMPTS = 4;
const PATIENT_ATTEMPTS = 40;
/** Finds a failover in a process that sends nothing. */
const REFRESH_EVERY_MS = 5_000;

/**
 * A client of a whole cluster. The gate has one slot and the queue another, so that no script and no pipeline touches
 * two nodes. A node that was demoted redirects to its successor.
 */
export function connectToCluster(
  { nodes, username, password, tls }: ClusterAddress,
  patience: Patience,
  backoff: (attempt: number) => number,
): Cluster {
  const { enableOfflineQueue, ...ofNodes } = patience;
  const cluster = new Cluster(
    nodes.map(({ host, port }) => ({ host, port })),
    {
      enableOfflineQueue,
      clusterRetryStrategy: backoff,
      maxRedirections: enableOfflineQueue ? PATIENT_ATTEMPTS : HURRIED_ATTEMPTS,
      retryDelayOnFailover: RETRY_AFTER_MS,
      retryDelayOnClusterDown: RETRY_AFTER_MS,
      retryDelayOnTryAgain: RETRY_AFTER_MS,
      slotsRefreshTimeout: patience.connectTimeout,
      slotsRefreshInterval: REFRESH_EVERY_MS,
      redisOptions: { ...ofNodes, username, password, ...(tls ? { tls: {} } : {}) },
      // A certificate names a host, and a host that was looked up is an address.
      ...(tls ? { dnsLookup: (host, callback) => callback(null, host) } : {}),
    },
  );
  const { commandTimeout } = patience;
  if (commandTimeout === undefined) return cluster;
  // A node bounds what it is sent. Without a node commands would wait in the cluster's own queue for ever.
  const send = cluster.sendCommand.bind(cluster);
  cluster.sendCommand = (command, ...rest) => {
    command.setTimeout(commandTimeout);
    return send(command, ...rest);
  };
  return cluster;
}
