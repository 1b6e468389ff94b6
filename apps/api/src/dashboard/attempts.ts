import { createHash } from 'node:crypto';
import type { RedisClient } from '@outdial/queue';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { ApiError } from '../http/api-error.ts';

export interface AttemptLimit {
  /** Names the count, in Redis too. */
  readonly name: string;
  readonly max: number;
  readonly windowSeconds: number;
}

/** Counts attempts in Redis for all processes, and in each process while Redis is away. */
export interface Attempts {
  /**
   * Counts before the attempt, so that a burst has no more attempts than a sequence.
   * @throws ApiError `too_many_attempts`
   */
  count(key: string): Promise<void>;
  /** The attempt was not one that the limit is for. */
  forgive(key: string): Promise<void>;
  /** Earlier attempts no longer count. */
  forget(key: string): Promise<void>;
}

export function createAttempts(redis: RedisClient, { name, max, windowSeconds }: AttemptLimit): Attempts {
  const window = { points: max, duration: windowSeconds, keyPrefix: `outdial:attempts:${name}` };
  const limiter = new RateLimiterRedis({
    ...window,
    storeClient: redis,
    insuranceLimiter: new RateLimiterMemory(window),
  });
  return {
    async count(key) {
      try {
        await limiter.consume(hashed(key));
      } catch (refusal) {
        throw refusal instanceof RateLimiterRes ? tooManyAttempts(refusal) : refusal;
      }
    },
    async forgive(key) {
      await limiter.reward(hashed(key));
    },
    async forget(key) {
      await limiter.delete(hashed(key));
    },
  };
}

/** The table of users is the only store with e-mail addresses. */
function hashed(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}

function tooManyAttempts({ msBeforeNext }: RateLimiterRes): ApiError {
  return new ApiError({
    code: 'too_many_attempts',
    publicMessage: 'Too many attempts. Wait for the time in Retry-After, then try again.',
    retryAfterSeconds: Math.max(1, Math.ceil(msBeforeNext / 1_000)),
  });
}
