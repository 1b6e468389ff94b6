import { parseRedisUrl, unreachable, type RedisAccess } from '@outdial/kernel';
import { Redis } from 'ioredis';
import { connectToCluster } from './connect-to-cluster.ts';
import { followPrimary } from './follow-primary.ts';
import type { Patience } from './patience.ts';
import type { RedisClient } from './redis-client.ts';
import { sentinelOptions } from './sentinel-options.ts';
import { stayConnected } from './stay-connected.ts';

/** A stopped Redis must cost a request half a second, not its whole time budget. */
const COMMAND_TIMEOUT_MS = 500;
const PATIENT_COMMAND_TIMEOUT_MS = 5_000;
const CONNECT_TIMEOUT_MS = 2_000;

/**
 * A connection for commands that a request waits for: while Redis is away they fail at once, and a command without an
 * answer fails after half a second. Attach an `error` listener; the connection reconnects by itself.
 */
export function connectForCommands(
  access: RedisAccess,
  options: { readonly commandTimeoutMs?: number } = {},
): RedisClient {
  return connect(access, {
    enableOfflineQueue: false,
    commandTimeout: options.commandTimeoutMs ?? COMMAND_TIMEOUT_MS,
    connectTimeout: CONNECT_TIMEOUT_MS,
    maxRetriesPerRequest: 1,
  });
}

/**
 * A connection for commands that may wait out a short outage, but not a long one: the calls of a worker survive a restart
 * of Redis. A command that timed out may still reach Redis later, so each must tolerate late delivery.
 */
export function connectPatiently(access: RedisAccess): RedisClient {
  return connect(access, {
    enableOfflineQueue: true,
    commandTimeout: PATIENT_COMMAND_TIMEOUT_MS,
    connectTimeout: CONNECT_TIMEOUT_MS,
    maxRetriesPerRequest: null,
  });
}

/**
 * A connection for BullMQ's consumer and for subscriptions, which wait for Redis however long it is away: a command that
 * gave up would end the loop that takes calls.
 */
export function connectForWaiting(access: RedisAccess): RedisClient {
  return connect(access, { enableOfflineQueue: true, connectTimeout: CONNECT_TIMEOUT_MS, maxRetriesPerRequest: null });
}

/** @throws RedisUrlError */
function connect(access: RedisAccess, patience: Patience): RedisClient {
  const { url, ...sentinelLogin } = typeof access === 'string' ? { url: access } : access;
  const address = parseRedisUrl(url);
  switch (address.kind) {
    case 'server':
      return followPrimary(new Redis(address.url, { ...patience, retryStrategy: backoff(2_000) }));
    case 'sentinel':
      // Capped lower: the Sentinels agree on another primary within seconds.
      return stayConnected(
        followPrimary(new Redis({ ...patience, ...sentinelOptions(address, sentinelLogin, backoff(500)) })),
      );
    case 'cluster':
      return connectToCluster(address, patience, backoff(500));
    default:
      return unreachable(address);
  }
}

/** Short, because a call may be waiting behind it; capped, so that an outage does not end in a storm of reconnects. */
function backoff(longestMs: number): (attempt: number) => number {
  return (attempt) => Math.min(50 * 2 ** Math.min(attempt, 6), longestMs);
}
