import { callListSchema, listCallsQuerySchema } from '@outdial/contracts';
import { defineContract, NO_BODY, NO_PARAMS } from '../../http/define-route.ts';

export const listCallsContract = defineContract({
  method: 'GET',
  path: '/api/v1/outbound/calls',
  params: NO_PARAMS,
  query: listCallsQuerySchema,
  body: NO_BODY,
  responses: { 200: callListSchema },
  errors: [],
});
