import type { KeyPepper } from '@outdial/secrets';
import { createApiKeySchema, createdApiKeySchema } from '@outdial/contracts';
import type { Clock } from '@outdial/kernel';
import {
  defineDashboardContract,
  defineDashboardRoute,
  NO_PARAMS,
  NO_QUERY,
  type Route,
} from '../../http/define-route.ts';
import { invalidRequest } from '../../http/api-error.ts';
import { withinBounds } from '../../http/account-bounds.ts';
import { ownAccountOf, type OwnAccountDeps } from '../../http/own-account.ts';
import { presentApiKey } from './present-api-key.ts';

const contract = defineDashboardContract({
  access: 'owner',
  method: 'POST',
  path: '/api/dashboard/accounts/:account_id/api-keys',
  params: NO_PARAMS,
  query: NO_QUERY,
  body: createApiKeySchema,
  responses: { 201: createdApiKeySchema },
  errors: ['body_too_large', 'unsupported_media_type'],
});

export interface CreateApiKeyDeps extends OwnAccountDeps {
  readonly clock: Clock;
  readonly pepper: KeyPepper;
}

export function createApiKeyRoute(deps: CreateApiKeyDeps): Route {
  const { clock, pepper } = deps;
  return defineDashboardRoute(contract, async ({ principal, body: { name, expires_at, scopes } }) => {
    const expiresAtMs = expires_at === null ? null : Date.parse(expires_at);
    if (expiresAtMs !== null && expiresAtMs <= clock.nowMs()) {
      throw invalidRequest([{ param: 'expires_at', message: 'must be in the future' }]);
    }
    const input = { name, pepper, scopes, ...(expiresAtMs === null ? {} : { expiresAtMs }) };
    const { key, record } = await withinBounds(ownAccountOf(deps, principal).keys.create(input));
    return { status: 201, body: { api_key: presentApiKey(record), value: key } };
  });
}
