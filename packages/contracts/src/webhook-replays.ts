import { z } from 'zod';
import { webhookEndpointIdSchema, webhookReplayIdSchema } from './ids.ts';
import { webhookTypesSchema } from './webhook-endpoints.ts';
import { EVENT_WEBHOOK_TYPES } from './webhook-types.ts';

const timestamp = z.iso.datetime({ precision: 3 });
const instant = z.iso.datetime({ offset: true, error: 'must be an ISO 8601 time such as 2026-11-20T14:26:00Z' });

export const WEBHOOK_REPLAY_DAYS = 30;

/** What a replay sends: what failed, what the endpoint never had, or all. */
export const WEBHOOK_REPLAY_CHOICES = ['failed', 'missing', 'failed_and_missing', 'all'] as const;
export type WebhookReplayChoice = (typeof WEBHOOK_REPLAY_CHOICES)[number];
export const WEBHOOK_REPLAY_STATES = ['running', 'done', 'cancelled'] as const;

const onlySchema = z.enum(WEBHOOK_REPLAY_CHOICES, `must be one of ${WEBHOOK_REPLAY_CHOICES.join(', ')}`);

/** `POST /webhook-endpoints/{endpoint_id}/replays`. */
export const createWebhookReplaySchema = z.strictObject({
  since: instant.describe(`Events from this time on, at most ${WEBHOOK_REPLAY_DAYS} days ago.`),
  until: instant.optional().describe('Events before this time. Default: now.'),
  events: webhookTypesSchema(EVENT_WEBHOOK_TYPES)
    .optional()
    .describe('Only these, of the types that the endpoint receives. Empty or omitted: all that it receives.'),
  only: onlySchema
    .default('failed_and_missing')
    .describe('`failed`: what was not delivered. `missing`: what the endpoint never had. `all`: everything again.'),
});

export const webhookReplaySchema = z.strictObject({
  id: z.guid().describe('Identifies the replay.'),
  endpoint_id: z.guid().describe('The endpoint.'),
  since: timestamp.describe('Events from this time on.'),
  until: timestamp.describe('Events before this time.'),
  events: z.array(z.string()).describe('The types. Empty: all that the endpoint receives.'),
  only: onlySchema.describe('What it sends.'),
  state: z.enum(WEBHOOK_REPLAY_STATES).describe('`done`: every event of the time was looked at.'),
  replayed: z.int().describe('Deliveries that it made pending so far.'),
  created_at: timestamp.describe('When it was created.'),
});
export type WebhookReplayBody = z.output<typeof webhookReplaySchema>;

export const webhookReplayEnvelopeSchema = z.strictObject({ replay: webhookReplaySchema });

export const webhookReplayParamsSchema = z.object({
  endpoint_id: webhookEndpointIdSchema.describe('The endpoint.'),
  replay_id: webhookReplayIdSchema.describe('The replay.'),
});
