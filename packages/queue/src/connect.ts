import { Redis } from 'ioredis';
import { followPrimary } from './follow-primary.ts';

/** A stopped Redis must cost a request half a second, not its whole time budget. */
const COMMAND_TIMEOUT_MS = 500;
const PATIENT_COMMAND_TIMEOUT_MS = 5_000;
const CONNECT_TIMEOUT_MS = 2_000;

/** Short, because a call may be waiting behind it; capped, so that an outage does not end in a storm of reconnects. */
const retryStrategy = (attempt: number): number => Math.min(50 * 2 ** Math.min(attempt, 6), 2_000);

/**
 * A connection for commands that a request waits for: while Redis is away they fail at once, and a command without an
 * answer fails after half a second. Attach an `error` listener; the connection reconnects by itself.
 */
export function connectForCommands(redisUrl: string): Redis {
  const redis = new Redis(redisUrl, {
    enableOfflineQueue: false,
    commandTimeout: COMMAND_TIMEOUT_MS,
    connectTimeout: CONNECT_TIMEOUT_MS,
    maxRetriesPerRequest: 1,
    retryStrategy,
  });
  return followPrimary(redis);
}

/**
 * A connection for commands that may wait out a short outage, but not a long one: the calls of a worker survive a restart
 * of Redis. A command that timed out may still reach Redis later, so each must tolerate late delivery.
 */
export function connectPatiently(redisUrl: string): Redis {
  const redis = new Redis(redisUrl, {
    commandTimeout: PATIENT_COMMAND_TIMEOUT_MS,
    connectTimeout: CONNECT_TIMEOUT_MS,
    maxRetriesPerRequest: null,
    retryStrategy,
  });
  return followPrimary(redis);
}

/**
 * A connection for BullMQ's consumer and for subscriptions, which wait for Redis however long it is away: a command that
 * gave up would end the loop that takes calls.
 */
export function connectForWaiting(redisUrl: string): Redis {
  const redis = new Redis(redisUrl, { maxRetriesPerRequest: null, connectTimeout: CONNECT_TIMEOUT_MS, retryStrategy });
  return followPrimary(redis);
}
