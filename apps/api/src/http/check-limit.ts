import type { AccountId } from '@outdial/contracts';
import { ApiError } from './api-error.ts';
import { createRateLimit, type RateLimitOptions } from './rate-limit.ts';

/** Counts one check of a credential. @throws ApiError `rate_limited` */
export type CheckLimit = (accountId: AccountId) => Promise<void>;

const WINDOW_SECONDS = 60;

/** A check makes a request to an address that the account may choose: it must not serve as a scanner. */
export function createCheckLimit(
  options: Pick<RateLimitOptions, 'redis' | 'clock'> & { readonly checksPerMinute: number },
): CheckLimit {
  const { redis, clock, checksPerMinute: max } = options;
  const count = createRateLimit({
    redis,
    clock,
    requestsPerSecond: max,
    windowSeconds: WINDOW_SECONDS,
    keyPrefix: 'outdial:credential-checks',
    scope: 'account',
  });
  return async (accountId) => {
    try {
      await count({ id: accountId, requestsPerSecond: null });
    } catch (error) {
      if (!(error instanceof ApiError) || error.retryAfterSeconds === undefined) throw error;
      throw new ApiError({
        code: 'rate_limited',
        publicMessage: `The account has reached its limit of ${max} credential checks per minute. Wait for the Retry-After period.`,
        details: { scope: 'account', thing: 'credential_checks', max },
        retryAfterSeconds: error.retryAfterSeconds,
      });
    }
  };
}
