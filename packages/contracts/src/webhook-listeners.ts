import { z } from 'zod';
import { webhookEndpointIdSchema, webhookMessageIdSchema } from './ids.ts';
import type { WebhookAttemptError } from './webhook-deliveries.ts';
import { webhookEventsSchema, webhookSecretText } from './webhook-endpoints.ts';

const timestamp = z.iso.datetime({ precision: 3 });

const MAX_ATTEMPT = 1_000_000;
const MAX_DURATION_MS = 600_000;
const MAX_HEADERS = 64;
const MAX_HEADER_CHARACTERS = 1_024;
const MAX_RESPONSE_CHARACTERS = 16_384;

/** Why a program that listens had no response. */
export const WEBHOOK_LISTENER_ERRORS = [
  'timeout',
  'dns',
  'connect',
  'tls',
  'reset',
  'too_large',
] as const satisfies readonly WebhookAttemptError[];

/** `POST /webhook-listeners`. */
export const createWebhookListenerSchema = z.strictObject({
  events: webhookEventsSchema
    .optional()
    .describe('The types that it receives. Empty: all, also those of later versions.'),
});

export const webhookListenerSchema = z.strictObject({
  id: z.guid().describe('Identifies the listener. In the log of deliveries it is the endpoint.'),
  events: z.array(z.string()).describe('The types that it receives. Empty: all.'),
  api_version: z.string().describe('The shape of the bodies.'),
  expires_at: timestamp.describe('When it ends, unless a stream holds it open.'),
  created_at: timestamp.describe('When it was created.'),
});
export type WebhookListenerBody = z.output<typeof webhookListenerSchema>;

export const createdWebhookListenerSchema = z.strictObject({
  listener: webhookListenerSchema,
  secret: webhookSecretText,
});

/** `data` of an event `webhook` of a listener's stream. */
export const listenerWebhookSchema = z.strictObject({
  message_id: z.guid().describe('The message. Receivers see it as `webhook-id: msg_<message_id>`.'),
  attempt: z.int().describe('Counts from 1. The result of this attempt names it.'),
  type: z.string().describe('The type of the message.'),
  call_id: z.guid().nullable().describe('The call that it is about.'),
  headers: z.record(z.string(), z.string()).describe('The headers of the request, signed now.'),
  body: z.string().describe('The body of the request. Forward it unchanged: it is what was signed.'),
});
export type ListenerWebhookBody = z.output<typeof listenerWebhookSchema>;

const headersSchema = z
  .record(
    z.string().max(MAX_HEADER_CHARACTERS, `must be at most ${MAX_HEADER_CHARACTERS} characters`),
    z.string().max(MAX_HEADER_CHARACTERS, `must be at most ${MAX_HEADER_CHARACTERS} characters`),
  )
  .refine((headers) => Object.keys(headers).length <= MAX_HEADERS, `must have at most ${MAX_HEADERS} entries`);

/** `POST /webhook-listeners/{listener_id}/results`. */
export const webhookResultSchema = z
  .strictObject({
    message_id: webhookMessageIdSchema.describe('The message.'),
    attempt: z
      .int(`must be a whole number from 1 to ${MAX_ATTEMPT}`)
      .min(1, 'must be at least 1')
      .max(MAX_ATTEMPT, `must be at most ${MAX_ATTEMPT}`)
      .describe('The attempt, as the stream named it.'),
    status: z
      .int('must be an HTTP status')
      .min(100, 'must be an HTTP status')
      .max(599, 'must be an HTTP status')
      .nullable()
      .describe('The HTTP status of the response. Null: there was none.'),
    error: z
      .enum(WEBHOOK_LISTENER_ERRORS, `must be one of ${WEBHOOK_LISTENER_ERRORS.join(', ')}`)
      .nullable()
      .describe('Why there was none. Null: there was one.'),
    duration_ms: z
      .int(`must be a whole number from 0 to ${MAX_DURATION_MS}`)
      .min(0, 'must be at least 0')
      .max(MAX_DURATION_MS, `must be at most ${MAX_DURATION_MS}`)
      .describe('Until the response was read, or the attempt failed.'),
    response_headers: headersSchema.default({}).describe('The log keeps ten of them, without cookies.'),
    response_body: z
      .string()
      .max(MAX_RESPONSE_CHARACTERS, `must be at most ${MAX_RESPONSE_CHARACTERS} characters`)
      .nullable()
      .default(null)
      .describe('The log keeps the first 2 KiB.'),
  })
  .refine(({ status, error }) => (status === null) !== (error === null), {
    message: 'must be null if there is a status, and name the error if there is none',
    path: ['error'],
  });

export const webhookListenerParamsSchema = z.object({
  listener_id: webhookEndpointIdSchema.describe('The listener.'),
});
