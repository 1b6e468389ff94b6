import { z } from 'zod';
import { callIdSchema, webhookEndpointIdSchema, webhookMessageIdSchema } from './ids.ts';
import { pageCursor, pageLimit } from './page-query.ts';
import { EVENT_WEBHOOK_TYPES, WEBHOOK_TYPES } from './webhook-types.ts';

const timestamp = z.iso.datetime({ precision: 3 });

export const WEBHOOK_DELIVERY_STATES = ['pending', 'delivered', 'failed', 'dropped'] as const;
export type WebhookDeliveryState = (typeof WEBHOOK_DELIVERY_STATES)[number];

/** Why an attempt failed. `status`: the receiver answered, but not with 2xx. `secret` and `body`: nothing was sent. */
export const WEBHOOK_ATTEMPT_ERRORS = [
  'timeout',
  'dns',
  'refused_address',
  'connect',
  'tls',
  'reset',
  'too_large',
  'status',
  'secret',
  'body',
] as const;
export type WebhookAttemptError = (typeof WEBHOOK_ATTEMPT_ERRORS)[number];

/** `POST /webhook-endpoints/{endpoint_id}/test`. */
export const testWebhookSchema = z.strictObject({
  type: z
    .enum(
      [...EVENT_WEBHOOK_TYPES, 'webhook.test'],
      `must be one of ${[...EVENT_WEBHOOK_TYPES, 'webhook.test'].join(', ')}`,
    )
    .default('webhook.test')
    .describe('What to send: an example of this type, with `"test": true`.'),
});

/** `POST /webhook-messages/{message_id}/resend`. */
export const resendWebhookSchema = z.strictObject({
  endpoint_id: webhookEndpointIdSchema.describe('The endpoint that receives the message once more.'),
});

const deliveryFields = {
  message_id: z.guid().describe('The message. Receivers see it as `webhook-id: msg_<message_id>`.'),
  endpoint_id: z.guid().describe('The endpoint.'),
  type: z.string().describe('The type of the message.'),
  call_id: z.guid().nullable().describe('The call that it is about. Null: it is about none.'),
  campaign_id: z.guid().nullable().describe('The campaign that it is about. Null: it is about none.'),
  state: z
    .enum(WEBHOOK_DELIVERY_STATES)
    .describe('`failed`: all attempts failed. `dropped`: its endpoint was disabled or deleted first.'),
  attempt_count: z.int().describe('Attempts so far, counted before each is made.'),
  last_status: z.int().nullable().describe('The HTTP status of the last response. Null: there was none.'),
  last_error: z.enum(WEBHOOK_ATTEMPT_ERRORS).nullable().describe('Why the last attempt failed. Null: it did not.'),
  next_attempt_at: timestamp.nullable().describe('When it is tried next, at the earliest. Null: it is not pending.'),
  delivered_at: timestamp.nullable().describe('When the receiver answered 2xx.'),
  created_at: timestamp.describe('When it was created.'),
};

/** One message for one endpoint. */
export const webhookDeliverySchema = z.strictObject(deliveryFields);
export type WebhookDeliveryBody = z.output<typeof webhookDeliverySchema>;

export const webhookAttemptSchema = z.strictObject({
  number: z.int().describe('Counts from 1.'),
  started_at: timestamp.describe('When the request was sent.'),
  duration_ms: z.int().describe('Until the response was read, or the attempt failed.'),
  status: z.int().nullable().describe('The HTTP status of the response. Null: there was none.'),
  error: z.enum(WEBHOOK_ATTEMPT_ERRORS).nullable().describe('Why it failed. Null: it did not.'),
  response_headers: z.record(z.string(), z.string()).describe('At most ten of its headers, without cookies.'),
  response_body: z.string().nullable().describe('Its first 2 KiB. Null: there was none.'),
});

/** One event with the body that every attempt sends. */
export const webhookMessageSchema = z.strictObject({
  id: z.guid().describe('Identifies the message.'),
  type: z.string().describe('Its type.'),
  call_id: z.guid().nullable().describe('The call that it is about. Null: it is about none.'),
  campaign_id: z.guid().nullable().describe('The campaign that it is about. Null: it is about none.'),
  occurred_at: timestamp.describe('When the event happened.'),
  created_at: timestamp.describe('When it was created.'),
  body: z.string().nullable().describe('The JSON in its newest shape. Null until the first attempt.'),
});

export const webhookMessageDetailSchema = z.strictObject({
  message: webhookMessageSchema,
  deliveries: z
    .array(
      z.strictObject({
        ...deliveryFields,
        attempts: z.array(webhookAttemptSchema).describe('In their order.'),
      }),
    )
    .describe('One for each endpoint that receives it.'),
});
export type WebhookMessageDetailBody = z.output<typeof webhookMessageDetailSchema>;

export const webhookMessageEnvelopeSchema = z.strictObject({ message: webhookMessageSchema });
export const webhookDeliveryEnvelopeSchema = z.strictObject({ delivery: webhookDeliverySchema });

/** The query of `GET /webhook-endpoints/{endpoint_id}/deliveries`. Values are text from a query string. */
export const listWebhookDeliveriesQuerySchema = z.strictObject({
  state: z
    .enum(WEBHOOK_DELIVERY_STATES, `must be one of ${WEBHOOK_DELIVERY_STATES.join(', ')}`)
    .optional()
    .describe('Only deliveries in this state.'),
  type: z
    .enum(WEBHOOK_TYPES, `must be one of ${WEBHOOK_TYPES.join(', ')}`)
    .optional()
    .describe('Only messages of this type.'),
  call_id: callIdSchema.optional().describe('Only messages about this call.'),
  limit: pageLimit('Deliveries'),
  cursor: pageCursor,
});

export const webhookDeliveryListSchema = z.strictObject({
  deliveries: z.array(webhookDeliverySchema).describe('Newest first.'),
  has_more: z.boolean().describe('Whether there is another page.'),
  next_cursor: z.string().nullable().describe('Pass it as `cursor` to get the next page. Null: this is the last page.'),
});

export const webhookMessageParamsSchema = z.object({
  message_id: z
    .string()
    .transform((text) => text.replace(/^msg_/, ''))
    .pipe(webhookMessageIdSchema)
    .describe('The message. `webhook-id` has it behind `msg_`, which may stay.'),
});
