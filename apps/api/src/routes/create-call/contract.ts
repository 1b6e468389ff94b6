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
    'too_many_scheduled',
    'no_trunk_available',
    'secret_key_missing',
    'outcome_unknown',
  ],
  docs: {
    operationId: 'createCall',
    tag: 'Calls',
    summary: 'Place a call',
    description: [
      'Accepts a call. From then on it ends with a reason, is dialed at most once and charged exactly once. Unknown fields are rejected, so that a typo cannot place a different call.',
      'A call with `scheduled_for` is `scheduled` until its time has come; with `on_capacity: queue` also while every slot is taken. Until then it reserves neither funds nor a slot. Agent, numbers and rate are checked now, and again when its time has come, and a call that may no longer be dialed then ends as `not_permitted`. Funds and capacity are checked now for a call that is to be dialed now, and for a later one when its time has come: if they do not suffice, it waits for them until `expires_at`.',
      'With `retry`, an end for one of the named reasons is followed by another call, which is `scheduled` and names this one in `retry_of`.',
    ].join('\n\n'),
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
