import { apiKeyEnvelopeSchema, apiKeyIdSchema } from '@outdial/contracts';
import { z } from 'zod';
import {
  defineDashboardContract,
  defineDashboardRoute,
  NO_BODY,
  NO_QUERY,
  type Route,
} from '../../http/define-route.ts';
import { ApiError } from '../../http/api-error.ts';
import { ownAccountOf, type OwnAccountDeps } from '../../http/own-account.ts';
import { presentApiKey } from './present-api-key.ts';

const contract = defineDashboardContract({
  access: 'owner',
  method: 'POST',
  path: '/api/dashboard/accounts/:account_id/api-keys/:key_id/revoke',
  params: z.object({ key_id: apiKeyIdSchema }),
  query: NO_QUERY,
  body: NO_BODY,
  responses: { 200: apiKeyEnvelopeSchema },
  errors: ['api_key_not_found'],
});

export function revokeApiKeyRoute(deps: OwnAccountDeps): Route {
  return defineDashboardRoute(contract, async ({ principal, params }) => {
    const record = await ownAccountOf(deps, principal).keys.revoke(params.key_id);
    if (record !== null) return { status: 200, body: { api_key: presentApiKey(record) } };
    throw new ApiError({
      code: 'api_key_not_found',
      publicMessage: 'Your account has no API key with this ID.',
      param: 'key_id',
    });
  });
}
