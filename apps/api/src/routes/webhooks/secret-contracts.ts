import {
  madePerCallWebhookSecretSchema,
  makePerCallWebhookSecretQuerySchema,
  perCallWebhookSecretSchema,
  rotatedWebhookSecretSchema,
  rotateWebhookSecretSchema,
  webhookEndpointParamsSchema,
} from '@outdial/contracts';
import { defineContract, NO_BODY, NO_PARAMS, NO_QUERY } from '../../http/define-route.ts';
import { ENDPOINT_PATH, ENDPOINTS_PATH } from './endpoint-contracts.ts';

export const rotateSecretContract = defineContract({
  method: 'POST',
  path: `${ENDPOINT_PATH}/rotate-secret`,
  scope: 'manage',
  params: webhookEndpointParamsSchema,
  query: NO_QUERY,
  body: rotateWebhookSecretSchema,
  responses: { 200: rotatedWebhookSecretSchema },
  errors: [
    'body_too_large',
    'unsupported_media_type',
    'webhook_endpoint_not_found',
    'rotation_in_progress',
    'secret_key_missing',
  ],
  docs: {
    operationId: 'rotateWebhookSecret',
    tag: 'Webhooks',
    summary: 'Replace the secret of an endpoint',
    description:
      'While the old secret overlaps, each request has two signatures, so that the receiver may have either secret.',
    answers: { 200: { description: 'The new secret. No other response contains it.' } },
  },
});

const PER_CALL_SECRET_PATH = `${ENDPOINTS_PATH}/per-call/secret` as const;

export const getPerCallSecretContract = defineContract({
  method: 'GET',
  path: PER_CALL_SECRET_PATH,
  scope: 'manage',
  isForMembers: true,
  params: NO_PARAMS,
  query: NO_QUERY,
  body: NO_BODY,
  responses: { 200: perCallWebhookSecretSchema },
  errors: [],
  docs: {
    operationId: 'getPerCallWebhookSecret',
    tag: 'Webhooks',
    summary: 'Read when the secret for URLs of calls was made',
    description: 'The secret that signs what is sent to the `webhook_url` of calls. The response does not contain it.',
    answers: { 200: { description: 'When it was made.' } },
  },
});

export const makePerCallSecretContract = defineContract({
  method: 'POST',
  path: PER_CALL_SECRET_PATH,
  scope: 'manage',
  params: NO_PARAMS,
  query: makePerCallWebhookSecretQuerySchema,
  body: NO_BODY,
  responses: { 200: madePerCallWebhookSecretSchema },
  errors: ['rotation_in_progress', 'secret_key_missing'],
  docs: {
    operationId: 'makePerCallWebhookSecret',
    tag: 'Webhooks',
    summary: 'Make or replace the secret for URLs of calls',
    description:
      'Make it before the first call with a `webhook_url`. While the old secret overlaps, each request has two signatures, so that the receivers may have either secret.',
    answers: { 200: { description: 'The secret. No other response contains it.' } },
  },
});
