import { callEnvelopeSchema, createCallSchema, idempotencyKeySchema } from '@outdial/contracts';
import { defineContract, NO_PARAMS, NO_QUERY } from '../../http/define-route.ts';

export const createCallContract = defineContract({
  method: 'POST',
  path: '/api/v1/outbound/calls',
  scope: 'outbound',
  params: NO_PARAMS,
  query: NO_QUERY,
  body: createCallSchema,
  responses: { 201: callEnvelopeSchema },
  errors: [
    'body_too_large',
    'unsupported_media_type',
    'idempotency_key_reused',
    'agent_access_denied',
    'provider_not_configured',
    'model_not_priced',
    'from_number_not_allowed',
    'no_outbound_number',
    'destination_not_allowed',
    'idempotency_in_progress',
    'insufficient_funds',
    'capacity_exceeded',
    'no_trunk_available',
    'secret_key_missing',
    'outcome_unknown',
  ],
  docs: {
    operationId: 'createCall',
    tag: 'Calls',
    summary: 'Place a call',
    description:
      'Accepts a call. From then on it ends with a reason, is dialed at most once and charged exactly once. Unknown fields are rejected, so that a typo cannot place a different call.',
    headers: { 'Idempotency-Key': idempotencyKeySchema },
    answers: {
      201: {
        description: 'The call was accepted, now or earlier with this Idempotency-Key.',
        headers: {
          Location: 'Path of the call.',
          'Idempotency-Replayed': '`true` if the call was accepted earlier. The response shows its current state.',
        },
      },
    },
  },
});
