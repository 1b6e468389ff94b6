import { callEnvelopeSchema, createCallSchema } from '@outdial/contracts';
import { defineContract, NO_PARAMS, NO_QUERY } from '../../http/define-route.ts';

export const createCallContract = defineContract({
  method: 'POST',
  path: '/api/v1/outbound/calls',
  params: NO_PARAMS,
  query: NO_QUERY,
  body: createCallSchema,
  responses: { 201: callEnvelopeSchema },
  errors: [
    'body_too_large',
    'unsupported_media_type',
    'idempotency_key_reused',
    'agent_access_denied',
    'from_number_not_allowed',
    'no_outbound_number',
    'destination_not_allowed',
    'idempotency_in_progress',
    'insufficient_funds',
    'capacity_exceeded',
    'outcome_unknown',
  ],
});
