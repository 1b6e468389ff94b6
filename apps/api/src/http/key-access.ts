import type { Authenticate } from './authenticate.ts';
import type { AccessChecks } from './principal.ts';
import type { AccountRateLimit } from './account-rate-limit.ts';
import type { RateLimit } from './rate-limit.ts';

export interface KeyAccessDeps {
  readonly authenticate: Authenticate;
  readonly rateLimit: RateLimit;
  /** Counts the requests of all keys of an account. */
  readonly accountRateLimit: AccountRateLimit;
}

/** Requires a valid key, and counts the request. */
export function keyAccessCheck({ authenticate, rateLimit, accountRateLimit }: KeyAccessDeps): AccessChecks['api_key'] {
  return async (message) => {
    const { key, account } = await authenticate(message.rawHeaders, () => message.ip ?? '');
    // The key's own limit comes first: a request that it rejects does not count against the account's other keys.
    await rateLimit(key);
    await accountRateLimit(account.id, key.requestsPerSecond);
    return { account, caller: { kind: 'api_key', key } };
  };
}
