import { Redis } from 'ioredis';
import { followPrimary } from './follow-primary.ts';

/** A stopped Redis must cost a request half a second, not its whole budget. */
const COMMAND_TIMEOUT_MS = 500;
const PATIENT_COMMAND_TIMEOUT_MS = 5_000;
const CONNECT_TIMEOUT_MS = 2_000;

/** Short, because a call may be waiting behind it; capped, so that an outage does not end in a storm. */
const retryStrategy = (attempt: number): number => Math.min(50 * 2 ** Math.min(attempt, 6), 2_000);

/**
 * A connection for commands that somebody waits for: while Redis is away they are refused at once, and one that Redis
 * does not answer within half a second fails. Attach an `error` listener; reconnecting is its own business.
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
 * A connection for commands that may wait out a short outage, but not a long one: the calls of a worker outlive a Redis
 * that restarts. A command that was given up may still reach Redis later, so each must bear being delivered late.
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
 * A connection for BullMQ's consumer and for subscriptions, which wait for Redis however long it is away: a command
 * that gave up would end the loop that takes calls.
 */
export function connectForWaiting(redisUrl: string): Redis {
  const redis = new Redis(redisUrl, { maxRetriesPerRequest: null, connectTimeout: CONNECT_TIMEOUT_MS, retryStrategy });
  return followPrimary(redis);
}
