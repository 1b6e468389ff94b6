import { callEventListSchema } from '@outdial/contracts';
import { defineContract, NO_BODY, NO_QUERY } from '../../http/define-route.ts';
import { callParams } from '../call-params.ts';

/** With `Accept: text/event-stream` the same as server-sent events: 200, or 204 once there is nothing more to come. */
export const listEventsContract = defineContract({
  method: 'GET',
  path: '/api/v1/outbound/calls/:call_id/events',
  params: callParams,
  query: NO_QUERY,
  body: NO_BODY,
  responses: { 200: callEventListSchema },
  errors: ['call_not_found'],
});
