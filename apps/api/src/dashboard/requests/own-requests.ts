import { accountRequestEnvelopeSchema, accountRequestListSchema, createRequestSchema } from '@outdial/contracts';
import { MAX_OPEN_REQUESTS } from '@outdial/persistence';
import {
  defineDashboardContract,
  defineDashboardRoute,
  NO_BODY,
  NO_PARAMS,
  NO_QUERY,
  type Route,
} from '../../http/define-route.ts';
import { ApiError } from '../../http/api-error.ts';
import { ownAccountOf, type OwnAccountDeps } from '../../http/own-account.ts';
import { presentRequest } from './present-request.ts';

const listContract = defineDashboardContract({
  access: 'member',
  method: 'GET',
  path: '/api/dashboard/accounts/:account_id/requests',
  params: NO_PARAMS,
  query: NO_QUERY,
  body: NO_BODY,
  responses: { 200: accountRequestListSchema },
  errors: [],
});

const createContract = defineDashboardContract({
  access: 'owner',
  method: 'POST',
  path: '/api/dashboard/accounts/:account_id/requests',
  params: NO_PARAMS,
  query: NO_QUERY,
  body: createRequestSchema,
  responses: { 201: accountRequestEnvelopeSchema },
  errors: ['too_many_open_requests', 'origin_not_allowed', 'body_too_large', 'unsupported_media_type'],
});

/** The requests of an account's owners to the operators. */
export function ownRequestRoutes(deps: OwnAccountDeps): readonly Route[] {
  return [
    defineDashboardRoute(listContract, async ({ principal }) => {
      const requests = await ownAccountOf(deps, principal).requests.list();
      const body = { requests: requests.map((request) => presentRequest(request)), max_open: MAX_OPEN_REQUESTS };
      return { status: 200, body };
    }),
    defineDashboardRoute(createContract, async ({ principal, body: { text } }) => {
      const request = await ownAccountOf(deps, principal).requests.create(text);
      if (request === null) throw tooMany();
      return { status: 201, body: { request: presentRequest(request) } };
    }),
  ];
}

function tooMany(): ApiError {
  return new ApiError({
    code: 'too_many_open_requests',
    publicMessage: `The account has reached its limit of ${MAX_OPEN_REQUESTS} open requests. Wait until an operator completes one.`,
  });
}
