import { setDiallingSchema } from '@outdial/contracts';
import {
  defineDashboardContract,
  defineDashboardRoute,
  NO_PARAMS,
  NO_QUERY,
  type Route,
} from '../../http/define-route.ts';
import { noContent } from '../../http/reply.ts';
import { administrationOf, hurryWorkers, type OperationsDeps } from './operations-deps.ts';

const contract = defineDashboardContract({
  access: 'operator',
  method: 'PUT',
  path: '/api/dashboard/operations/dialling',
  params: NO_PARAMS,
  query: NO_QUERY,
  body: setDiallingSchema,
  responses: {},
  errors: ['origin_not_allowed', 'body_too_large', 'unsupported_media_type'],
});

export function setDiallingRoute(deps: OperationsDeps): Route {
  return defineDashboardRoute(contract, async ({ principal, body }) => {
    await administrationOf(deps, principal).dialling.set(body);
    await hurryWorkers(deps);
    return noContent();
  });
}
