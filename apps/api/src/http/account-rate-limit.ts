import type { AccountId } from '@outdial/contracts';
import { createRateLimit, type RateLimitOptions } from './rate-limit.ts';

/**
 * Counts one request of the account. `ownLimit` is that of the key it came by: where an operator has given one key more
 * than accounts may send by default, the account may send as much. @throws ApiFault `rate_limited`
 */
export type AccountRateLimit = (accountId: AccountId, ownLimit: number | null) => Promise<void>;

/** Programs and people are counted apart: keys that run wild do not lock out the owner who would revoke them. */
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
