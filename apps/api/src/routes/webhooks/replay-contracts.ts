import {
  createWebhookReplaySchema,
  webhookEndpointParamsSchema,
  webhookReplayEnvelopeSchema,
  webhookReplayParamsSchema,
} from '@outdial/contracts';
import { defineContract, NO_BODY, NO_QUERY } from '../../http/define-route.ts';
import { ENDPOINT_PATH } from './endpoint-contracts.ts';

const REPLAY_PATH = `${ENDPOINT_PATH}/replays/:replay_id` as const;

export const createReplayContract = defineContract({
  method: 'POST',
  path: `${ENDPOINT_PATH}/replays`,
  scope: 'manage',
  params: webhookEndpointParamsSchema,
  query: NO_QUERY,
  body: createWebhookReplaySchema,
  responses: { 202: webhookReplayEnvelopeSchema },
  errors: [
    'body_too_large',
    'unsupported_media_type',
    'webhook_endpoint_not_found',
    'webhook_endpoint_disabled',
    'replay_in_progress',
  ],
  docs: {
    operationId: 'createWebhookReplay',
    tag: 'Webhooks',
    summary: 'Send the events of a time again',
    description:
      'Sends events of the calls of a time, at most 30 days back, also those from before the endpoint was made. The endpoint gets only the types that it receives. A message that was made before keeps its `webhook-id`; one with 100 attempts is left out. An endpoint has one replay at a time. Events of the last minute may follow a minute later.',
    answers: { 202: { description: 'The replay, which goes on in the background.' } },
  },
});

export const getReplayContract = defineContract({
  method: 'GET',
  path: REPLAY_PATH,
  scope: 'manage',
  isForMembers: true,
  params: webhookReplayParamsSchema,
  query: NO_QUERY,
  body: NO_BODY,
  responses: { 200: webhookReplayEnvelopeSchema },
  errors: ['replay_not_found'],
  docs: {
    operationId: 'getWebhookReplay',
    tag: 'Webhooks',
    summary: 'Read a replay',
    description: 'How far it has got.',
    answers: { 200: { description: 'The replay.' } },
  },
});

export const cancelReplayContract = defineContract({
  method: 'POST',
  path: `${REPLAY_PATH}/cancel`,
  scope: 'manage',
  params: webhookReplayParamsSchema,
  query: NO_QUERY,
  body: NO_BODY,
  responses: { 200: webhookReplayEnvelopeSchema },
  errors: ['replay_not_found'],
  docs: {
    operationId: 'cancelWebhookReplay',
    tag: 'Webhooks',
    summary: 'Cancel a replay',
    description: 'What it has made pending is still sent. A replay that is over stays as it is.',
    answers: { 200: { description: 'The replay.' } },
  },
});
