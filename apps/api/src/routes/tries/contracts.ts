import { createTrySchema, TRY_LIMITS, tryEnvelopeSchema, tryIdSchema, tryMessageSchema } from '@outdial/contracts';
import { z } from 'zod';
import { defineContract, NO_BODY, NO_QUERY } from '../../http/define-route.ts';
import { agentParams } from '../agents/agent-params.ts';

const tryParams = agentParams.extend({ try_id: tryIdSchema.describe('The try.') });
const { open, seconds, accountSeconds, windowSeconds } = TRY_LIMITS;
const minutes = (of: number) => of / 60;

export const createTryContract = defineContract({
  scope: 'manage',
  isForMembers: true,
  method: 'POST',
  path: '/api/v1/agents/:agent_id/try',
  params: agentParams,
  query: NO_QUERY,
  body: createTrySchema,
  responses: { 201: tryEnvelopeSchema },
  errors: [
    'agent_not_found',
    'try_not_possible',
    'provider_not_configured',
    'model_not_priced',
    'insufficient_funds',
    'body_too_large',
    'unsupported_media_type',
  ],
  docs: {
    operationId: 'createTry',
    tag: 'Agents',
    summary: 'Try an agent',
    description: `Begins a conversation with an agent that the account owns, in text or, in the dashboard, by microphone. Its model answers, and its HTTP tools run; no telephone rings. A try takes at most ${minutes(seconds)} minutes. An account has ${open} at once, and ${minutes(accountSeconds)} minutes of them in ${minutes(windowSeconds)} minutes: more is \`rate_limited\`. The wallet is charged for what the models used, unless the credential is your own.`,
    answers: { 201: { description: 'The try. Follow its events at once: the agent may speak first.' } },
  },
});

export const getTryContract = defineContract({
  scope: 'manage',
  isForMembers: true,
  method: 'GET',
  path: '/api/v1/agents/:agent_id/try/:try_id',
  params: tryParams,
  query: NO_QUERY,
  body: NO_BODY,
  responses: { 200: tryEnvelopeSchema },
  errors: ['try_not_found'],
  docs: {
    operationId: 'getTry',
    tag: 'Agents',
    summary: 'Read a try',
    description: 'Its state and its cost. What was said is not stored.',
    answers: { 200: { description: 'The try.' } },
  },
});

export const sendTryMessageContract = defineContract({
  scope: 'manage',
  isForMembers: true,
  method: 'POST',
  path: '/api/v1/agents/:agent_id/try/:try_id/messages',
  params: tryParams,
  query: NO_QUERY,
  body: tryMessageSchema,
  responses: { 202: tryEnvelopeSchema },
  errors: ['try_not_found', 'try_over', 'try_medium_differs', 'body_too_large', 'unsupported_media_type'],
  docs: {
    operationId: 'sendTryMessage',
    tag: 'Agents',
    summary: 'Say something in a try',
    description: `Says a text as the callee. The answer comes with the events. A try takes up to ${TRY_LIMITS.messages} messages.`,
    answers: { 202: { description: 'The text is on its way to the agent.' } },
  },
});

export const endTryContract = defineContract({
  scope: 'manage',
  isForMembers: true,
  method: 'POST',
  path: '/api/v1/agents/:agent_id/try/:try_id/end',
  params: tryParams,
  query: NO_QUERY,
  body: NO_BODY,
  responses: { 202: tryEnvelopeSchema },
  errors: ['try_not_found'],
  docs: {
    operationId: 'endTry',
    tag: 'Agents',
    summary: 'End a try',
    description: 'Hangs up as the callee. Has no effect on a try that has ended.',
    answers: { 202: { description: 'The try ends within a second; its events say when.' } },
  },
});

/** The events of a try as server-sent events: 200, or 204 when nothing more will come. */
export const followTryContract = defineContract({
  scope: 'manage',
  isForMembers: true,
  method: 'GET',
  path: '/api/v1/agents/:agent_id/try/:try_id/events',
  params: tryParams,
  query: NO_QUERY,
  body: NO_BODY,
  responses: {},
  errors: ['try_not_found'],
  docs: {
    operationId: 'followTry',
    tag: 'Agents',
    summary: 'Follow a try',
    description:
      'Server-sent events: past ones, then each as it happens, in order. `agent_text` has a piece of the agent’s words, `tool_called` a tool with its arguments and result, `act` what the agent would do in a call, `usage` the cost so far. The stream ends after `ended`.',
    headers: { 'Last-Event-ID': z.string().describe('Continue after this event.') },
    answers: {
      200: {
        description: 'The events.',
        media: {
          'text/event-stream': {
            schema: { type: 'string', description: '`id`, `event` (its type) and `data` (the event as JSON) of each.' },
            example:
              'retry: 2000\n\nid: 1764000000000-0\nevent: agent_text\ndata: {"type":"agent_text","item":"item_1","text":"Hello "}\n\n',
          },
        },
      },
      204: { description: 'The try has ended, and `Last-Event-ID` is its last event. Do not reconnect.' },
    },
  },
});
