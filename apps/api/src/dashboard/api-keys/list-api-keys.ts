import { apiKeyListSchema } from '@outdial/contracts';
import {
  defineDashboardContract,
  defineDashboardRoute,
  NO_BODY,
  NO_PARAMS,
  NO_QUERY,
  type Route,
} from '../../http/define-route.ts';
import { ownAccountOf, type OwnAccountDeps } from '../../http/own-account.ts';
import { presentApiKey } from './present-api-key.ts';

const contract = defineDashboardContract({
  access: 'owner',
  method: 'GET',
  path: '/api/dashboard/accounts/:account_id/api-keys',
  params: NO_PARAMS,
  query: NO_QUERY,
  body: NO_BODY,
  responses: { 200: apiKeyListSchema },
  errors: [],
});

export function listApiKeysRoute(deps: OwnAccountDeps): Route {
  return defineDashboardRoute(contract, async ({ principal }) => {
    const records = await ownAccountOf(deps, principal).keys.list();
    return { status: 200, body: { api_keys: records.map(presentApiKey) } };
  });
}
