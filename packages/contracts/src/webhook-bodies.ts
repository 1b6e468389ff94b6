import { z } from 'zod';
import { callEventSchema } from './call-events.ts';
import { callSchema } from './call.ts';
import { campaignSchema } from './campaigns.ts';
import { WEBHOOK_DISABLED_REASONS } from './webhook-endpoints.ts';
import { CALL_WEBHOOK_TYPES, CAMPAIGN_WEBHOOK_TYPES } from './webhook-types.ts';

const timestamp = z.iso.datetime({ precision: 3 });
const head = {
  timestamp: timestamp.describe('When it happened.'),
  test: z.literal(true).optional().describe('An example that a person asked for: nothing happened.'),
};

/** What an endpoint receives about a call. */
export const callWebhookSchema = z.strictObject({
  type: z.enum(CALL_WEBHOOK_TYPES).describe('What happened to the call.'),
  ...head,
  data: z.strictObject({
    event: callEventSchema.describe('The event of the timeline. Its id rises within a call.'),
    call: callSchema.describe('The call: never older than the event, and perhaps newer.'),
    omitted: z
      .array(z.literal('call.transcript'))
      .optional()
      .describe('What a body of 256 KiB has no room for. Read the call instead.'),
  }),
});

/** What an endpoint receives about a campaign. */
export const campaignWebhookSchema = z.strictObject({
  type: z.enum(CAMPAIGN_WEBHOOK_TYPES).describe('What happened to the campaign.'),
  ...head,
  data: z.strictObject({
    campaign: campaignSchema.describe('The campaign: never older than what happened, and perhaps newer.'),
  }),
});

/** What the other endpoints of an account receive when the service disables one. */
export const endpointDisabledWebhookSchema = z.strictObject({
  type: z.literal('webhook.endpoint_disabled').describe('The service disabled an endpoint of the account.'),
  ...head,
  data: z.strictObject({
    endpoint: z.strictObject({
      id: z.guid().describe('The endpoint that was disabled.'),
      url: z.string().describe('Its URL.'),
      disabled_reason: z
        .enum(WEBHOOK_DISABLED_REASONS)
        .describe('`failing`: no success for five days, and at least 20 failures. `gone`: it answered 410.'),
      disabled_at: timestamp.describe('When it was disabled.'),
    }),
  }),
});

export const testWebhookBodySchema = z.strictObject({
  type: z.literal('webhook.test').describe('A person asked for a test.'),
  ...head,
  data: z.strictObject({}).describe('Empty.'),
});

/** Every body that an endpoint may receive. */
export const webhookBodySchema = z.discriminatedUnion('type', [
  callWebhookSchema,
  campaignWebhookSchema,
  endpointDisabledWebhookSchema,
  testWebhookBodySchema,
]);
export type WebhookBody = z.output<typeof webhookBodySchema>;
