import { callListSchema, listCallsQuerySchema } from '@outdial/contracts';
import { defineContract, NO_BODY, NO_PARAMS } from '../../http/define-route.ts';

export const listCallsContract = defineContract({
  method: 'GET',
  path: '/api/v1/outbound/calls',
  scope: 'outbound',
  params: NO_PARAMS,
  query: listCallsQuerySchema,
  body: NO_BODY,
  responses: { 200: callListSchema },
  errors: [],
  docs: {
    operationId: 'listCalls',
    tag: 'Calls',
    summary: 'List calls',
    description:
      'The calls of the account, newest first, in pages. A page ends after `limit` calls or 1 MB, whichever comes first, and has at least one call: continue while `has_more`. Calls created in between do not affect later pages.',
    answers: { 200: { description: 'A page of calls.' } },
  },
});
