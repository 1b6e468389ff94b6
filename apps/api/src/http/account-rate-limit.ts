import type { AccountId } from '@outdial/contracts';
import { createRateLimit, type RateLimitOptions } from './rate-limit.ts';

/**
 * Counts one request of the account. `ownLimit` is the limit of the key that sent it: if an operator has given one key
 * more than the default of accounts, the account may send as much.
 * @throws ApiError `rate_limited`
 */
export type AccountRateLimit = (accountId: AccountId, ownLimit: number | null) => Promise<void>;

/** Programs and people are counted apart: runaway keys do not lock out the owner who wants to revoke them. */
const PREFIXES = { keys: 'outdial:account-requests', members: 'outdial:account-member-requests' } as const;

export function createAccountRateLimit(
  by: keyof typeof PREFIXES,
  options: Pick<RateLimitOptions, 'redis' | 'clock' | 'requestsPerSecond'>,
): AccountRateLimit {
  const { requestsPerSecond } = options;
  const count = createRateLimit({ ...options, keyPrefix: PREFIXES[by], scope: 'account' });
  return (accountId, ownLimit) =>
    count({ id: accountId, requestsPerSecond: ownLimit === null ? null : Math.max(ownLimit, requestsPerSecond) });
}
