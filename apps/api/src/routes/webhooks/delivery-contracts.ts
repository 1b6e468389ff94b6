import {
  listWebhookDeliveriesQuerySchema,
  resendWebhookSchema,
  testWebhookSchema,
  webhookDeliveryEnvelopeSchema,
  webhookDeliveryListSchema,
  webhookEndpointParamsSchema,
  webhookMessageDetailSchema,
  webhookMessageEnvelopeSchema,
  webhookMessageParamsSchema,
} from '@outdial/contracts';
import { defineContract, NO_BODY, NO_QUERY } from '../../http/define-route.ts';
import { ENDPOINT_PATH } from './endpoint-contracts.ts';

const MESSAGE_PATH = '/api/v1/webhook-messages/:message_id';

export const listDeliveriesContract = defineContract({
  method: 'GET',
  path: `${ENDPOINT_PATH}/deliveries`,
  scope: 'manage',
  isForMembers: true,
  params: webhookEndpointParamsSchema,
  query: listWebhookDeliveriesQuerySchema,
  body: NO_BODY,
  responses: { 200: webhookDeliveryListSchema },
  errors: ['webhook_endpoint_not_found'],
  docs: {
    operationId: 'listWebhookDeliveries',
    tag: 'Webhooks',
    summary: 'List the deliveries of an endpoint',
    description: 'What was sent to an endpoint, or will be, newest first. Deliveries are kept for 14 days by default.',
    answers: { 200: { description: 'A page of deliveries.' } },
  },
});

export const sendTestContract = defineContract({
  method: 'POST',
  path: `${ENDPOINT_PATH}/test`,
  scope: 'manage',
  params: webhookEndpointParamsSchema,
  query: NO_QUERY,
  body: testWebhookSchema,
  responses: { 202: webhookMessageEnvelopeSchema },
  errors: ['body_too_large', 'unsupported_media_type', 'webhook_endpoint_not_found', 'webhook_endpoint_disabled'],
  docs: {
    operationId: 'testWebhookEndpoint',
    tag: 'Webhooks',
    summary: 'Send a test message',
    description:
      'Sends an example, whatever types the endpoint receives. Read the message to see how its delivery went.',
    answers: { 202: { description: 'The message. It is sent within about a second.' } },
  },
});

export const getMessageContract = defineContract({
  method: 'GET',
  path: MESSAGE_PATH,
  scope: 'manage',
  isForMembers: true,
  params: webhookMessageParamsSchema,
  query: NO_QUERY,
  body: NO_BODY,
  responses: { 200: webhookMessageDetailSchema },
  errors: ['webhook_message_not_found'],
  docs: {
    operationId: 'getWebhookMessage',
    tag: 'Webhooks',
    summary: 'Read a message with its attempts',
    description: 'The body, and for each endpoint every attempt with its response.',
    answers: { 200: { description: 'The message and its deliveries.' } },
  },
});

export const resendContract = defineContract({
  method: 'POST',
  path: `${MESSAGE_PATH}/resend`,
  scope: 'manage',
  params: webhookMessageParamsSchema,
  query: NO_QUERY,
  body: resendWebhookSchema,
  responses: { 202: webhookDeliveryEnvelopeSchema },
  errors: [
    'body_too_large',
    'unsupported_media_type',
    'webhook_endpoint_not_found',
    'webhook_endpoint_disabled',
    'webhook_message_not_found',
    'resend_limit_reached',
  ],
  docs: {
    operationId: 'resendWebhookMessage',
    tag: 'Webhooks',
    summary: 'Send a message once more',
    description:
      'Sends the message to the endpoint before all that is due there, also if it was delivered before. Its `webhook-id` and its body stay the same. Order does not apply. A delivery has at most 100 attempts before a resend is rejected.',
    answers: { 202: { description: 'The delivery.' } },
  },
});
