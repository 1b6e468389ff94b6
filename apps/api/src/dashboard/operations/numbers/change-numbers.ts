import {
  addNumberSchema,
  assignNumberSchema,
  phoneNumberIdSchema,
  setOutboundSchema,
  setSystemNumberSchema,
} from '@outdial/contracts';
import { z } from 'zod';
import {
  defineDashboardContract,
  defineDashboardRoute,
  NO_PARAMS,
  NO_QUERY,
  type Route,
} from '../../../http/define-route.ts';
import { noContent } from '../../../http/reply.ts';
import { administrationOf, type OperationsDeps } from '../operations-deps.ts';
import { toApiError } from '../refusals.ts';

const common = { access: 'operator', query: NO_QUERY, responses: {} } as const;
const COMMON_ERRORS = ['origin_not_allowed', 'body_too_large', 'unsupported_media_type'] as const;
const params = z.object({ number_id: phoneNumberIdSchema });

const addContract = defineDashboardContract({
  ...common,
  method: 'POST',
  path: '/api/dashboard/operations/numbers',
  params: NO_PARAMS,
  body: addNumberSchema,
  errors: ['account_not_found', 'number_exists', ...COMMON_ERRORS],
});

const assignContract = defineDashboardContract({
  ...common,
  method: 'PUT',
  path: '/api/dashboard/operations/numbers/:number_id/account',
  params,
  body: assignNumberSchema,
  errors: ['phone_number_not_found', 'account_not_found', 'number_exists', ...COMMON_ERRORS],
});

const outboundContract = defineDashboardContract({
  ...common,
  method: 'PUT',
  path: '/api/dashboard/operations/numbers/:number_id/outbound',
  params,
  body: setOutboundSchema,
  errors: ['phone_number_not_found', ...COMMON_ERRORS],
});

const systemContract = defineDashboardContract({
  ...common,
  method: 'PUT',
  path: '/api/dashboard/operations/system-number',
  params: NO_PARAMS,
  body: setSystemNumberSchema,
  errors: ['phone_number_not_found', ...COMMON_ERRORS],
});

/** The numbers of all accounts and of the system, for operators. */
export function changeNumberRoutes(deps: OperationsDeps): readonly Route[] {
  return [
    defineDashboardRoute(addContract, async ({ principal, body: { number, account_id: accountId } }) => {
      await administrationOf(deps, principal).numbers.add({ accountId, e164: number }).catch(toApiError);
      return noContent();
    }),
    defineDashboardRoute(assignContract, async ({ principal, params: { number_id: numberId }, body }) => {
      await administrationOf(deps, principal).numbers.assign(numberId, body.account_id).catch(toApiError);
      return noContent();
    }),
    defineDashboardRoute(outboundContract, async ({ principal, params: { number_id: numberId }, body }) => {
      await administrationOf(deps, principal).numbers.setOutbound(numberId, body.enabled).catch(toApiError);
      return noContent();
    }),
    defineDashboardRoute(systemContract, async ({ principal, body: { number_id: numberId } }) => {
      await administrationOf(deps, principal).numbers.setSystemDefault(numberId).catch(toApiError);
      return noContent();
    }),
  ];
}
