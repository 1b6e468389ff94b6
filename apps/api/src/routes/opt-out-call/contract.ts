import { optOutCallSchema, optOutParamsSchema, suppressionEnvelopeSchema } from '@outdial/contracts';
import { defineContract, NO_QUERY } from '../../http/define-route.ts';

export const optOutCallContract = defineContract({
  method: 'POST',
  path: '/api/v1/outbound/calls/:call_id/opt-out',
  scope: 'outbound',
  params: optOutParamsSchema,
  query: NO_QUERY,
  body: optOutCallSchema,
  responses: { 200: suppressionEnvelopeSchema },
  errors: ['body_too_large', 'unsupported_media_type', 'call_not_found'],
  docs: {
    operationId: 'optOutCall',
    tag: 'Calls',
    summary: 'Pass on that the callee opted out',
    description:
      'Puts the callee of a call in any status on the do-not-call list of the account, as an `opt_out`, which only the operator of the service lifts. The timeline gets the event `opted_out`, once. A call that rings or talks goes on: end it with `/end`. Repeating the request changes nothing.',
    answers: { 200: { description: 'The entry of the list.' } },
  },
});
