import { setWorkerSchema } from '@outdial/contracts';
import { z } from 'zod';
import { defineDashboardContract, defineDashboardRoute, NO_QUERY, type Route } from '../../http/define-route.ts';
import { noContent } from '../../http/reply.ts';
import { administrationOf, hurryWorkers, type OperationsDeps } from './operations-deps.ts';
import { toApiError } from './refusals.ts';

const contract = defineDashboardContract({
  access: 'operator',
  method: 'PATCH',
  path: '/api/dashboard/operations/workers/:worker_id',
  params: z.object({
    worker_id: z
      .string()
      .max(300)
      .regex(/^[^\0]+$/, 'must not contain the character U+0000'),
  }),
  query: NO_QUERY,
  body: setWorkerSchema,
  responses: {},
  errors: ['worker_not_found', 'origin_not_allowed', 'body_too_large', 'unsupported_media_type'],
});

export function setWorkerRoute(deps: OperationsDeps): Route {
  return defineDashboardRoute(contract, async ({ principal, params: { worker_id: workerId }, body: { draining } }) => {
    await administrationOf(deps, principal).workers.setDraining({ workerId, draining }).catch(toApiError);
    await hurryWorkers(deps);
    return noContent();
  });
}
