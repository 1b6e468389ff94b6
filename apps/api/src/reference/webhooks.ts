import {
  callWebhookSchema,
  CALL_WEBHOOK_TYPES,
  CAMPAIGN_WEBHOOK_TYPES,
  campaignWebhookSchema,
  endpointDisabledWebhookSchema,
  testWebhookBodySchema,
  webhookEndpointIdSchema,
  WEBHOOK_TYPES,
  type WebhookType,
} from '@outdial/contracts';
import { unreachable } from '@outdial/kernel';
import { endpointDisabledBody, testBody } from '@outdial/webhooks';
import type { z } from 'zod';
import { refOf, type JsonSchema } from './schemas.ts';

const AT_MS = Date.UTC(2026, 10, 20, 14, 26);
const ENDPOINT_ID = webhookEndpointIdSchema.parse('01991f3e-51a0-7c3e-9d4f-6a7b8c9d0e1f');

const SUMMARIES: Readonly<Record<WebhookType, string>> = {
  'call.scheduled': 'A call was scheduled: it is dialed later',
  'call.queued': 'A call was queued: it is dialed next',
  'call.dialing': 'A call is being dialed',
  'call.ringing': 'The telephone rings',
  'call.answered': 'The callee picked up',
  'call.answered_by': 'What picked up is known',
  'call.opted_out': 'The callee wants no more calls: the number is on the do-not-call list',
  'call.ended': 'A call ended, dialed or not',
  'call.recording_ready': 'The recording of a call can be read',
  'call.analyzed': 'The analysis of a call is over',
  'campaign.started': 'A campaign began to call',
  'campaign.paused': 'A campaign was paused: by a person, or because its budget is used up',
  'campaign.resumed': 'A paused campaign goes on',
  'campaign.completed': 'A campaign is completed: nothing of it is left to call',
  'campaign.cancelled': 'A campaign was cancelled, and nothing of it is scheduled any more',
  'webhook.endpoint_disabled': 'Another endpoint of the account was disabled',
  'webhook.test': 'A test message',
};

/** The schema of a type's body. */
export function schemaOfWebhook(type: WebhookType): z.ZodType {
  switch (type) {
    case 'webhook.test':
      return testWebhookBodySchema;
    case 'webhook.endpoint_disabled':
      return endpointDisabledWebhookSchema;
    case 'call.scheduled':
    case 'call.queued':
    case 'call.dialing':
    case 'call.ringing':
    case 'call.answered':
    case 'call.answered_by':
    case 'call.opted_out':
    case 'call.ended':
    case 'call.recording_ready':
    case 'call.analyzed':
      return callWebhookSchema;
    case 'campaign.started':
    case 'campaign.paused':
    case 'campaign.resumed':
    case 'campaign.completed':
    case 'campaign.cancelled':
      return campaignWebhookSchema;
    default:
      return unreachable(type);
  }
}

/** A body as an endpoint receives it. */
export function exampleWebhook(type: WebhookType): unknown {
  if (type === 'webhook.endpoint_disabled') {
    const url = 'https://customer.example/hooks';
    return JSON.parse(endpointDisabledBody({ id: ENDPOINT_ID, url, reason: 'failing', disabledAtMs: AT_MS }));
  }
  const body: unknown = JSON.parse(testBody(type, AT_MS));
  if (type === 'webhook.test') return body;
  // The test button's example, without the mark.
  return Object.fromEntries(Object.entries(Object(body)).filter(([name]) => name !== 'test'));
}

const HEADERS = [
  ['webhook-id', 'Identifies the message: the same for every attempt. Ignore a message that you have handled.'],
  ['webhook-timestamp', 'When this attempt was made, in seconds since 1970. Part of what is signed.'],
  [
    'webhook-signature',
    '`v1,` and the signature in base64; two of them, with a space between, while a secret rotates.',
  ],
  ['outdial-version', 'The version of the body’s shape.'],
] as const;

/** What the service sends, as the `webhooks` of OpenAPI 3.1. */
export function describeWebhooks(): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(WEBHOOK_TYPES.map((type) => [type, { post: describe(type) }]));
}

const NEWER = {
  call: ' `data.call` is never older than `data.event`, and may be newer.',
  campaign: ' `data.campaign` is never older than `timestamp`, and may be newer.',
  other: '',
} as const;

function aboutOf(type: WebhookType): keyof typeof NEWER {
  if (CALL_WEBHOOK_TYPES.some((known) => known === type)) return 'call';
  return CAMPAIGN_WEBHOOK_TYPES.some((known) => known === type) ? 'campaign' : 'other';
}

function describe(type: WebhookType): JsonSchema {
  return {
    tags: ['Webhooks'],
    summary: SUMMARIES[type],
    description: `Signed as Standard Webhooks asks.${NEWER[aboutOf(type)]}`,
    security: [],
    parameters: HEADERS.map(([name, description]) => ({
      name,
      in: 'header',
      required: true,
      description,
      schema: { type: 'string' },
    })),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: refOf(schemaOfWebhook(type)), example: exampleWebhook(type) } },
    },
    responses: {
      '2XX': { description: 'The message was taken. Anything else, also a redirect, is tried again.' },
      '410': { description: 'The endpoint wants no more: it is disabled.' },
    },
  };
}
