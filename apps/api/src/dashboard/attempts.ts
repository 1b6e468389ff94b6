import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import ipaddr from 'ipaddr.js';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { ApiFault } from '../http/fault.ts';

export interface AttemptLimit {
  /** Names the count, in Redis too. */
  readonly name: string;
  readonly max: number;
  readonly windowSeconds: number;
}

/** Counts attempts, for all processes in Redis, and by each for itself while Redis is away. */
export interface Attempts {
  /** Counted before it is made: of a burst no more get through than one by one. @throws ApiFault `too_many_attempts` */
  count(key: string): Promise<void>;
  /** It was none of those that are to be limited. */
  forgive(key: string): Promise<void>;
  /** Those before it do not matter any more. */
  forget(key: string): Promise<void>;
}

export function createAttempts(redis: Redis, { name, max, windowSeconds }: AttemptLimit): Attempts {
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

/** E-mail addresses stand in no store but the one of the users. */
function hashed(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}

function tooManyAttempts({ msBeforeNext }: RateLimiterRes): ApiFault {
  return new ApiFault({
    code: 'too_many_attempts',
    publicMessage: 'Too many attempts. Wait for the time in Retry-After, then try again.',
    retryAfterSeconds: Math.max(1, Math.ceil(msBeforeNext / 1_000)),
  });
}

/**
 * The sender as limits count it: an IPv4 address, or the first half of an IPv6 one, because a user of one IPv6 address
 * has the other 2^64 of its network too.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  // Takes an IPv4 address in IPv6 form as the IPv4 address that it is.
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const network = parsed.parts.slice(0, 4);
  return network.map((part) => part.toString(16)).join(':');
}
