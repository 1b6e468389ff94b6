import type { Clock } from '@outdial/kernel';
import type { KeyPepper } from '@outdial/secrets';
import { withinBounds } from '../../http/account-bounds.ts';
import { ApiError, invalidRequest } from '../../http/api-error.ts';
import { defineRoute, type AccountRoute } from '../../http/define-route.ts';
import { ownAccountOf, type OwnAccountDeps } from '../../http/own-account.ts';
import { requireScope } from '../../http/require-scope.ts';
import { createApiKeyContract, listApiKeysContract, revokeApiKeyContract } from './contracts.ts';
import { presentApiKey } from './present.ts';

export interface CreateApiKeyDeps extends OwnAccountDeps {
  readonly clock: Clock;
  readonly pepper: KeyPepper;
}

export function listApiKeysRoute(deps: OwnAccountDeps): AccountRoute {
  return defineRoute(listApiKeysContract, async ({ principal }) => {
    const records = await ownAccountOf(deps, principal).keys.list();
    return { status: 200, body: { api_keys: records.map(presentApiKey) } };
  });
}

export function createApiKeyRoute(deps: CreateApiKeyDeps): AccountRoute {
  const { clock, pepper } = deps;
  return defineRoute(createApiKeyContract, async ({ principal, body: { name, expires_at, scopes } }) => {
    // Otherwise a key that may not place calls could make one that does.
    for (const scope of scopes) requireScope(principal, scope);
    const expiresAtMs = expires_at === null ? null : Date.parse(expires_at);
    if (expiresAtMs !== null && expiresAtMs <= clock.nowMs()) {
      throw invalidRequest([{ param: 'expires_at', message: 'must be in the future' }]);
    }
    const own = principal.caller.kind === 'api_key' ? principal.caller.key : null;
    const ownEndMs = own?.expiresAtMs ?? Number.POSITIVE_INFINITY;
    if ((expiresAtMs ?? Number.POSITIVE_INFINITY) > ownEndMs) {
      const ends = new Date(ownEndMs).toISOString();
      throw invalidRequest([{ param: 'expires_at', message: `must not be after ${ends}, when your own key ends` }]);
    }
    const requestsPerSecond = own?.requestsPerSecond ?? null;
    const input = {
      name,
      pepper,
      scopes,
      ...(expiresAtMs === null ? {} : { expiresAtMs }),
      // A key that has a limit makes no key that has a higher one.
      ...(requestsPerSecond === null ? {} : { requestsPerSecond }),
    };
    const { key, record } = await withinBounds(ownAccountOf(deps, principal).keys.create(input));
    return { status: 201, body: { api_key: presentApiKey(record), value: key } };
  });
}

export function revokeApiKeyRoute(deps: OwnAccountDeps): AccountRoute {
  return defineRoute(revokeApiKeyContract, async ({ principal, params }) => {
    const record = await ownAccountOf(deps, principal).keys.revoke(params.key_id);
    if (record !== null) return { status: 200, body: { api_key: presentApiKey(record) } };
    throw new ApiError({
      code: 'api_key_not_found',
      publicMessage: 'Your account has no API key with this ID.',
      param: 'key_id',
    });
  });
}
