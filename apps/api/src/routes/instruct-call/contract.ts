import { instructCallSchema, INSTRUCTION_LIMITS, instructionEnvelopeSchema } from '@outdial/contracts';
import { defineContract, NO_QUERY } from '../../http/define-route.ts';
import { callParams } from '../call-params.ts';

const { perMinuteOfCall, perMinuteOfAccount, ofCall } = INSTRUCTION_LIMITS;

export const instructCallContract = defineContract({
  method: 'POST',
  path: '/api/v1/outbound/calls/:call_id/instructions',
  scope: 'manage',
  isForMembers: true,
  params: callParams,
  query: NO_QUERY,
  body: instructCallSchema,
  responses: { 200: instructionEnvelopeSchema },
  errors: ['body_too_large', 'unsupported_media_type', 'call_not_found', 'call_not_live', 'instruction_not_possible'],
  docs: {
    operationId: 'instructCall',
    tag: 'Calls',
    summary: 'Instruct the model of a live call',
    description: `Whispers to the model that conducts an answered call: it follows the text from its next answer on, and the callee hears nothing of it. The answer comes once the worker of the call has taken the instruction. The transcript has it, with the role \`supervisor\`. A call takes ${perMinuteOfCall} instructions a minute and ${ofCall} in all, an account ${perMinuteOfAccount} a minute: more is \`rate_limited\`. Repeating the request instructs the model again.`,
    answers: { 200: { description: 'The model has it.' } },
  },
});
