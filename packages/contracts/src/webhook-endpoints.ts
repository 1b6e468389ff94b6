import { z } from 'zod';
import { webhookEndpointIdSchema } from './ids.ts';
import { storableText } from './text.ts';
import { WEBHOOK_ATTEMPT_ERRORS } from './webhook-deliveries.ts';
import { WEBHOOK_API_VERSIONS, WEBHOOK_TYPES } from './webhook-types.ts';

const timestamp = z.iso.datetime({ precision: 3 });
const MAX_URL_LENGTH = 2_048;
const MAX_DESCRIPTION_LENGTH = 200;
const MAX_RATE = 1_000;
const MAX_OVERLAP_HOURS = 168;
const DEFAULT_OVERLAP_HOURS = 24;

export const WEBHOOK_ENDPOINT_STATES = ['enabled', 'disabled'] as const;
/** Who disabled an endpoint: its account, the service (after days of failures, or a 410), or an operator. */
export const WEBHOOK_DISABLED_REASONS = ['owner', 'failing', 'gone', 'operator'] as const;
export type WebhookDisabledReason = (typeof WEBHOOK_DISABLED_REASONS)[number];

/**
 * A URL to send webhooks to. One spelling for each address: a host in another script could look like another one, so it
 * is written in its ASCII form.
 */
export const webhookUrlText = z
  .string()
  .max(MAX_URL_LENGTH, `must be at most ${MAX_URL_LENGTH} characters`)
  .regex(
    /^[\x21-\x5b\x5d-\x7e]*$/,
    'must contain only visible ASCII characters without spaces and backslashes: write an international host name in its xn-- form, and encode other characters as %XX',
  )
  .refine((text) => URL.canParse(text), 'must be a URL such as https://example.com/hooks');

/** Some of these types. */
export const webhookTypesSchema = <Type extends string>(types: readonly Type[]) =>
  z
    .array(z.enum(types, `must be one of ${types.join(', ')}`))
    .max(types.length, `must have at most ${types.length} entries`)
    .refine((chosen) => new Set(chosen).size === chosen.length, 'must name each type once');

/** Types of webhooks. Empty: all. */
export const webhookEventsSchema = webhookTypesSchema(WEBHOOK_TYPES);

const descriptionText = storableText.max(
  MAX_DESCRIPTION_LENGTH,
  `must be at most ${MAX_DESCRIPTION_LENGTH} characters`,
);
const rateSchema = z
  .int(`must be a whole number from 1 to ${MAX_RATE}`)
  .min(1, 'must be at least 1')
  .max(MAX_RATE, `must be at most ${MAX_RATE}`)
  .nullable();

const settableFields = {
  url: webhookUrlText.describe('Where webhooks are sent: an `https:` URL on the public internet.'),
  events: webhookEventsSchema.describe('The types that it receives. Empty: all, also those of later versions.'),
  description: descriptionText.describe('Your own words.'),
  rate_per_second: rateSchema.describe('The most requests per second. Null: no limit.'),
};

/** `POST /webhook-endpoints`. */
export const createWebhookEndpointSchema = z.strictObject({
  url: settableFields.url,
  events: settableFields.events.optional(),
  description: settableFields.description.optional(),
  rate_per_second: settableFields.rate_per_second.optional(),
});

/** `PATCH /webhook-endpoints/{endpoint_id}`. Omitted fields stay. */
export const updateWebhookEndpointSchema = z
  .strictObject({
    ...settableFields,
    state: z
      .enum(WEBHOOK_ENDPOINT_STATES, 'must be enabled or disabled')
      .describe('Disabling drops what is pending. Enabling begins with the events from then on.'),
    api_version: z
      .enum(WEBHOOK_API_VERSIONS, `must be one of ${WEBHOOK_API_VERSIONS.join(', ')}`)
      .describe('The shape of the bodies.'),
  })
  .partial()
  .refine((changes) => Object.keys(changes).length > 0, 'must have at least one field');

const lastErrorSchema = z.strictObject({
  status: z.int().nullable().describe('The HTTP status of the response. Null: there was none.'),
  error: z.enum(WEBHOOK_ATTEMPT_ERRORS).describe('What went wrong.'),
});

export const webhookEndpointSchema = z.strictObject({
  id: z.guid().describe('Identifies the endpoint.'),
  ...settableFields,
  url: z.string().describe('Where webhooks are sent.'),
  events: z.array(z.string()).describe('The types that it receives. Empty: all.'),
  state: z.enum(WEBHOOK_ENDPOINT_STATES).describe('A disabled endpoint receives nothing.'),
  disabled_reason: z
    .enum(WEBHOOK_DISABLED_REASONS)
    .nullable()
    .describe(
      '`failing`: no success for five days, and at least 20 failures. `gone`: it answered 410. Null: it is enabled.',
    ),
  disabled_at: timestamp.nullable().describe('Null: it is enabled.'),
  api_version: z.string().describe('The shape of the bodies: the version of the day it was created, unless changed.'),
  secret_made_at: timestamp.describe('When its secret was made.'),
  previous_secret_until: timestamp
    .nullable()
    .describe('Until then the previous secret signs too. Null: only one signs.'),
  failures_in_a_row: z.int().describe('Attempts that failed since the last success.'),
  failing_since: timestamp.nullable().describe('Null: the last attempt succeeded, or none was made.'),
  last_success_at: timestamp.nullable().describe('To the minute. Null: none yet.'),
  last_error: lastErrorSchema.nullable().describe('The latest failure. Null: the last attempt succeeded.'),
  running_replay_id: z.guid().nullable().describe('The replay that is under way.'),
  created_at: timestamp.describe('When it was created.'),
});
export type WebhookEndpointBody = z.output<typeof webhookEndpointSchema>;

export const webhookSecretText = z
  .string()
  .describe('`whsec_` and base64. This is the only response that contains it.');

export const webhookEndpointEnvelopeSchema = z.strictObject({ endpoint: webhookEndpointSchema });
export const webhookEndpointListSchema = z.strictObject({
  endpoints: z.array(webhookEndpointSchema).describe('Oldest first; an account has at most 20.'),
});
export const createdWebhookEndpointSchema = z.strictObject({
  endpoint: webhookEndpointSchema,
  secret: webhookSecretText,
});

const previousUntil = timestamp.nullable().describe('Until then the old secret signs too. Null: it has ended.');

/** `POST /webhook-endpoints/{endpoint_id}/rotate-secret`. */
export const rotateWebhookSecretSchema = z.strictObject({
  overlap_hours: z
    .int(`must be a whole number from 0 to ${MAX_OVERLAP_HOURS}`)
    .min(0, 'must be at least 0')
    .max(MAX_OVERLAP_HOURS, `must be at most ${MAX_OVERLAP_HOURS}`)
    .default(DEFAULT_OVERLAP_HOURS)
    .describe('How long both secrets sign. 0: the old one ends at once.'),
});

export const rotatedWebhookSecretSchema = z.strictObject({
  secret: webhookSecretText,
  previous_until: previousUntil,
});

/** `GET /webhook-endpoints/per-call/secret`. */
export const perCallWebhookSecretSchema = z.strictObject({
  made_at: timestamp.nullable().describe('When the secret for URLs of calls was made. Null: there is none yet.'),
  previous_until: previousUntil,
});

/** The query of `POST /webhook-endpoints/per-call/secret`. Values are text from a query string. */
export const makePerCallWebhookSecretQuerySchema = z.strictObject({
  overlap_hours: z
    .string()
    .regex(/^(?:0|[1-9]\d{0,2})$/, `must be a whole number from 0 to ${MAX_OVERLAP_HOURS}`)
    .transform(Number)
    .refine((hours) => hours <= MAX_OVERLAP_HOURS, `must be at most ${MAX_OVERLAP_HOURS}`)
    .default(DEFAULT_OVERLAP_HOURS)
    .meta({
      description: 'How long both secrets sign; default 24. 0: the old one ends at once.',
      type: 'integer',
      minimum: 0,
      maximum: MAX_OVERLAP_HOURS,
    }),
});

/** `POST /webhook-endpoints/per-call/secret`. */
export const madePerCallWebhookSecretSchema = z.strictObject({
  secret: webhookSecretText,
  made_at: timestamp.describe('When it was made.'),
  previous_until: previousUntil,
});

export const webhookEndpointParamsSchema = z.object({ endpoint_id: webhookEndpointIdSchema.describe('The endpoint.') });
