import type { RedisAddress } from '@outdial/kernel';
import type { RedisOptions } from 'ioredis';

type SentinelAddress = Extract<RedisAddress, { readonly kind: 'sentinel' }>;

/** A Sentinel that hangs must not use up the time of the others. */
const SENTINEL_TIMEOUT_MS = 1_000;
/** How soon a Sentinel that was restarted is subscribed to again. */
const SUBSCRIBE_AGAIN_MS = 5_000;

/**
 * Follows the primary that the Sentinels name.
 *
 * `failoverDetector` leaves the old primary as soon as they have another. Without it connections would stay there until
 * Sentinel demotes it, ten seconds in a planned failover, and what they write in that time is lost.
 */
export function sentinelOptions(
  { sentinels, primaryName, database, username, password, tls }: SentinelAddress,
  login: { readonly sentinelUsername?: string | undefined; readonly sentinelPassword?: string | undefined },
  backoff: (attempt: number) => number,
): Omit<RedisOptions, 'replyMapping'> {
  return {
    sentinels: sentinels.map(({ host, port }) => ({ host, port })),
    name: primaryName,
    role: 'master',
    db: database,
    username,
    password,
    ...login,
    failoverDetector: true,
    updateSentinels: true,
    sentinelCommandTimeout: SENTINEL_TIMEOUT_MS,
    sentinelRetryStrategy: backoff,
    sentinelReconnectStrategy: () => SUBSCRIBE_AGAIN_MS,
    retryStrategy: backoff,
    ...(tls ? { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true } : {}),
  };
}
