import type { AccountId } from '@outdial/contracts';
import { ApiError } from './api-error.ts';
import { createRateLimit, type RateLimitOptions } from './rate-limit.ts';

/** Counts one check of a credential, or one listing of tools. @throws ApiError `rate_limited` */
export type CheckLimit = (accountId: AccountId) => Promise<void>;

export interface CheckLimitOptions extends Pick<RateLimitOptions, 'redis' | 'clock'> {
  readonly checksPerMinute: number;
  readonly of: keyof typeof CHECKS;
}

const WINDOW_SECONDS = 60;

const CHECKS = {
  credential_checks: { keyPrefix: 'outdial:credential-checks', words: 'credential checks' },
  tool_listings: { keyPrefix: 'outdial:tool-listings', words: 'saved agents with MCP servers' },
} as const;

/** A check makes a request to an address that the account may choose: it must not serve as a scanner. */
export function createCheckLimit({ redis, clock, checksPerMinute: max, of }: CheckLimitOptions): CheckLimit {
  const { keyPrefix, words } = CHECKS[of];
  const count = createRateLimit({
    redis,
    clock,
    requestsPerSecond: max,
    windowSeconds: WINDOW_SECONDS,
    keyPrefix,
    scope: 'account',
  });
  return async (accountId) => {
    try {
      await count({ id: accountId, requestsPerSecond: null });
    } catch (error) {
      if (!(error instanceof ApiError) || error.retryAfterSeconds === undefined) throw error;
      throw new ApiError({
        code: 'rate_limited',
        publicMessage: `The account has reached its limit of ${max} ${words} per minute. Wait for the Retry-After period.`,
        details: { scope: 'account', thing: of, max },
        retryAfterSeconds: error.retryAfterSeconds,
      });
    }
  };
}
