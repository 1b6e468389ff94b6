import { callEnvelopeSchema } from '@outdial/contracts';
import { defineContract, NO_BODY, NO_QUERY } from '../../http/define-route.ts';
import { callParams } from '../call-params.ts';

/** 202: the call is ending, or was cancelled before it was dialed. 200: it had already ended. */
export const endCallContract = defineContract({
  method: 'POST',
  path: '/api/v1/outbound/calls/:call_id/end',
  scope: 'outbound',
  params: callParams,
  query: NO_QUERY,
  body: NO_BODY,
  responses: { 200: callEnvelopeSchema, 202: callEnvelopeSchema },
  errors: ['call_not_found'],
  docs: {
    operationId: 'endCall',
    tag: 'Calls',
    summary: 'End a call',
    description:
      'Ends a call in any state. Before it is dialed, scheduled or queued, the call ends as `cancelled`; later the service hangs up and it ends as `hung_up_by_api`. No retry follows. A retry that is already scheduled is another call: end it by its own id (`next_call_id`).',
    answers: {
      200: { description: 'The call had already ended and does not change.' },
      202: {
        description:
          'The call is ending, or was cancelled: a call that was scheduled or queued has already ended, at no cost.',
      },
    },
  },
});
