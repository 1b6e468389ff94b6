import { callEnvelopeSchema } from '@outdial/contracts';
import { defineContract, NO_BODY, NO_QUERY } from '../../http/define-route.ts';
import { callParams } from '../call-params.ts';

export const getCallContract = defineContract({
  method: 'GET',
  path: '/api/v1/outbound/calls/:call_id',
  scope: 'outbound',
  params: callParams,
  query: NO_QUERY,
  body: NO_BODY,
  responses: { 200: callEnvelopeSchema },
  errors: ['call_not_found'],
  docs: {
    operationId: 'getCall',
    tag: 'Calls',
    summary: 'Read a call',
    description: 'The current state of the call. After it has ended, only its note and its recording change.',
    answers: { 200: { description: 'The call.' } },
  },
});
