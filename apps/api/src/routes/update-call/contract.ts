import { callEnvelopeSchema, updateCallSchema } from '@outdial/contracts';
import { defineContract, NO_QUERY } from '../../http/define-route.ts';
import { callParams } from '../call-params.ts';

export const updateCallContract = defineContract({
  method: 'PATCH',
  path: '/api/v1/outbound/calls/:call_id',
  scope: 'outbound',
  params: callParams,
  query: NO_QUERY,
  body: updateCallSchema,
  responses: { 200: callEnvelopeSchema },
  errors: ['body_too_large', 'unsupported_media_type', 'call_not_found'],
  docs: {
    operationId: 'updateCall',
    tag: 'Calls',
    summary: 'Set the review note of a call',
    description: 'Sets or removes the review note, in any state of the call.',
    answers: { 200: { description: 'The call with its note.' } },
  },
});
