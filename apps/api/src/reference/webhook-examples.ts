import {
  createdWebhookEndpointSchema,
  createdWebhookListenerSchema,
  createWebhookEndpointSchema,
  createWebhookListenerSchema,
  createWebhookReplaySchema,
  madePerCallWebhookSecretSchema,
  perCallWebhookSecretSchema,
  resendWebhookSchema,
  rotatedWebhookSecretSchema,
  rotateWebhookSecretSchema,
  testWebhookSchema,
  updateWebhookEndpointSchema,
  webhookDeliveryEnvelopeSchema,
  webhookDeliveryListSchema,
  webhookEndpointEnvelopeSchema,
  webhookEndpointListSchema,
  webhookMessageDetailSchema,
  webhookMessageEnvelopeSchema,
  webhookReplayEnvelopeSchema,
  webhookResultSchema,
  type WebhookDeliveryBody,
  type WebhookEndpointBody,
  type WebhookMessageDetailBody,
  type WebhookReplayBody,
} from '@outdial/contracts';
import type { z } from 'zod';

const URL_OF_RECEIVER = 'https://hooks.customer.com/outdial';
const ENDPOINT_ID = '01991f3e-51a0-7c3e-9d4f-6a7b8c9d0e1f';
const MESSAGE_ID = '01991f3e-62b1-7d4f-8e50-7b8c9d0e1f2a';
const CALL_ID = '01991f3e-6a52-7c8d-9e10-2b3c4d5e6f70';
const CREATED_AT = '2026-11-20T14:20:00.123Z';
const SECRET = 'whsec_<base64>';

const ENDPOINT: WebhookEndpointBody = {
  id: ENDPOINT_ID,
  url: URL_OF_RECEIVER,
  events: ['call.ended'],
  description: 'Our CRM',
  rate_per_second: null,
  state: 'enabled',
  disabled_reason: null,
  disabled_at: null,
  api_version: '2026-12-01',
  secret_made_at: CREATED_AT,
  previous_secret_until: null,
  failures_in_a_row: 0,
  failing_since: null,
  last_success_at: '2026-11-20T14:26:24.512Z',
  last_error: null,
  running_replay_id: null,
  created_at: CREATED_AT,
};

const DELIVERY: WebhookDeliveryBody = {
  message_id: MESSAGE_ID,
  endpoint_id: ENDPOINT_ID,
  type: 'call.ended',
  call_id: CALL_ID,
  campaign_id: null,
  state: 'delivered',
  attempt_count: 1,
  last_status: 200,
  last_error: null,
  next_attempt_at: null,
  delivered_at: '2026-11-20T14:26:24.512Z',
  created_at: '2026-11-20T14:26:24.293Z',
};

const MESSAGE: WebhookMessageDetailBody['message'] = {
  id: MESSAGE_ID,
  type: 'call.ended',
  call_id: CALL_ID,
  campaign_id: null,
  occurred_at: '2026-11-20T14:26:24.291Z',
  created_at: '2026-11-20T14:26:24.293Z',
  body: '{"type":"call.ended","timestamp":"2026-11-20T14:26:24.291Z","data":{"event":{…},"call":{…}}}',
};

const ATTEMPT: WebhookMessageDetailBody['deliveries'][number]['attempts'][number] = {
  number: 1,
  started_at: '2026-11-20T14:26:24.391Z',
  duration_ms: 121,
  status: 200,
  error: null,
  response_headers: { 'content-type': 'text/plain' },
  response_body: 'ok',
};

const REPLAY: WebhookReplayBody = {
  id: '01991f3e-73c2-7e50-9f61-8c9d0e1f2a3b',
  endpoint_id: ENDPOINT_ID,
  since: '2026-11-19T00:00:00.000Z',
  until: '2026-11-20T15:00:00.000Z',
  events: [],
  only: 'failed_and_missing',
  state: 'running',
  replayed: 120,
  created_at: '2026-11-20T15:00:00.000Z',
};

export const WEBHOOK_EXAMPLES: readonly (readonly [z.ZodType, unknown])[] = [
  [createWebhookEndpointSchema, { url: URL_OF_RECEIVER, events: ['call.ended'], description: 'Our CRM' }],
  [updateWebhookEndpointSchema, { state: 'enabled' }],
  [createdWebhookEndpointSchema, { endpoint: ENDPOINT, secret: SECRET }],
  [webhookEndpointEnvelopeSchema, { endpoint: ENDPOINT }],
  [webhookEndpointListSchema, { endpoints: [ENDPOINT] }],
  [rotateWebhookSecretSchema, { overlap_hours: 24 }],
  [rotatedWebhookSecretSchema, { secret: SECRET, previous_until: '2026-11-21T14:20:00.123Z' }],
  [perCallWebhookSecretSchema, { made_at: CREATED_AT, previous_until: null }],
  [madePerCallWebhookSecretSchema, { secret: SECRET, made_at: CREATED_AT, previous_until: null }],
  [testWebhookSchema, { type: 'call.ended' }],
  [webhookMessageEnvelopeSchema, { message: MESSAGE }],
  [webhookDeliveryListSchema, { deliveries: [DELIVERY], has_more: false, next_cursor: null }],
  [webhookMessageDetailSchema, { message: MESSAGE, deliveries: [{ ...DELIVERY, attempts: [ATTEMPT] }] }],
  [resendWebhookSchema, { endpoint_id: ENDPOINT_ID }],
  [
    webhookDeliveryEnvelopeSchema,
    { delivery: { ...DELIVERY, state: 'pending', next_attempt_at: '2026-11-20T15:00:00.000Z' } },
  ],
  [createWebhookReplaySchema, { since: '2026-11-19T00:00:00Z' }],
  [webhookReplayEnvelopeSchema, { replay: REPLAY }],
  [createWebhookListenerSchema, { events: ['call.ended'] }],
  [
    createdWebhookListenerSchema,
    {
      listener: {
        id: '01991f3e-84d3-7f61-8a72-9d0e1f2a3b4c',
        events: ['call.ended'],
        api_version: '2026-12-01',
        expires_at: '2026-11-20T14:22:00.123Z',
        created_at: CREATED_AT,
      },
      secret: SECRET,
    },
  ],
  [
    webhookResultSchema,
    {
      message_id: MESSAGE_ID,
      attempt: 1,
      status: 204,
      error: null,
      duration_ms: 12,
      response_headers: {},
      response_body: null,
    },
  ],
];
