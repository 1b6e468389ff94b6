import type { Authenticate } from './authenticate.ts';
import type { Admissions } from './principal.ts';
import type { RateLimit } from './rate-limit.ts';

export interface KeyAdmissionDeps {
  readonly authenticate: Authenticate;
  readonly rateLimit: RateLimit;
}

/** Lets in whoever holds a good key, and counts the request. */
export function admitKey({ authenticate, rateLimit }: KeyAdmissionDeps): Admissions['api_key'] {
  return async (message) => {
    const { key, account } = await authenticate(message.rawHeaders);
    await rateLimit(key);
    return { account, caller: { kind: 'api_key', key } };
  };
}
