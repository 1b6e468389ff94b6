import {
  createdWebhookEndpointSchema,
  createWebhookEndpointSchema,
  updateWebhookEndpointSchema,
  webhookEndpointEnvelopeSchema,
  webhookEndpointListSchema,
  webhookEndpointParamsSchema,
} from '@outdial/contracts';
import { defineContract, NO_BODY, NO_PARAMS, NO_QUERY } from '../../http/define-route.ts';

export const ENDPOINTS_PATH = '/api/v1/webhook-endpoints';
export const ENDPOINT_PATH = `${ENDPOINTS_PATH}/:endpoint_id` as const;

export const createEndpointContract = defineContract({
  method: 'POST',
  path: ENDPOINTS_PATH,
  scope: 'manage',
  params: NO_PARAMS,
  query: NO_QUERY,
  body: createWebhookEndpointSchema,
  responses: { 201: createdWebhookEndpointSchema },
  errors: ['body_too_large', 'unsupported_media_type', 'too_many_endpoints', 'secret_key_missing'],
  docs: {
    operationId: 'createWebhookEndpoint',
    tag: 'Webhooks',
    summary: 'Create a webhook endpoint',
    description:
      'From then on, what happens to the calls of the account is sent to this URL. The response has the secret that signs the requests: no other response contains it. An account has at most 20 endpoints.',
    answers: { 201: { description: 'The endpoint and its secret.' } },
  },
});

export const listEndpointsContract = defineContract({
  method: 'GET',
  path: ENDPOINTS_PATH,
  scope: 'manage',
  isForMembers: true,
  params: NO_PARAMS,
  query: NO_QUERY,
  body: NO_BODY,
  responses: { 200: webhookEndpointListSchema },
  errors: [],
  docs: {
    operationId: 'listWebhookEndpoints',
    tag: 'Webhooks',
    summary: 'List webhook endpoints',
    description: 'All endpoints of the account, oldest first, without their secrets.',
    answers: { 200: { description: 'The endpoints.' } },
  },
});

export const getEndpointContract = defineContract({
  method: 'GET',
  path: ENDPOINT_PATH,
  scope: 'manage',
  isForMembers: true,
  params: webhookEndpointParamsSchema,
  query: NO_QUERY,
  body: NO_BODY,
  responses: { 200: webhookEndpointEnvelopeSchema },
  errors: ['webhook_endpoint_not_found'],
  docs: {
    operationId: 'getWebhookEndpoint',
    tag: 'Webhooks',
    summary: 'Read a webhook endpoint',
    description: 'The endpoint, and whether its receiver answers.',
    answers: { 200: { description: 'The endpoint.' } },
  },
});

export const updateEndpointContract = defineContract({
  method: 'PATCH',
  path: ENDPOINT_PATH,
  scope: 'manage',
  params: webhookEndpointParamsSchema,
  query: NO_QUERY,
  body: updateWebhookEndpointSchema,
  responses: { 200: webhookEndpointEnvelopeSchema },
  errors: [
    'body_too_large',
    'unsupported_media_type',
    'webhook_endpoint_not_found',
    'webhook_endpoint_disabled',
    'webhook_endpoint_draining',
  ],
  docs: {
    operationId: 'updateWebhookEndpoint',
    tag: 'Webhooks',
    summary: 'Change a webhook endpoint',
    description:
      'Omitted fields stay. Disabling drops what is pending; enabling begins with the events from then on. What was missed is sent by a replay.',
    answers: { 200: { description: 'The endpoint.' } },
  },
});

export const deleteEndpointContract = defineContract({
  method: 'DELETE',
  path: ENDPOINT_PATH,
  scope: 'manage',
  params: webhookEndpointParamsSchema,
  query: NO_QUERY,
  body: NO_BODY,
  responses: {},
  errors: ['webhook_endpoint_not_found'],
  docs: {
    operationId: 'deleteWebhookEndpoint',
    tag: 'Webhooks',
    summary: 'Delete a webhook endpoint',
    description: 'Drops what is pending, and deletes the secret.',
    answers: { 204: { description: 'The endpoint was deleted.' } },
  },
});
