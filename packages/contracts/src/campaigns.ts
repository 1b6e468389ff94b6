import { z } from 'zod';
import { callingPolicySettingsSchema } from './calling-policies.ts';
import { CALL_LIMITS, createCallSchema, retrySchema } from './create-call.ts';
import { e164Schema } from './e164.ts';
import { endedReasons } from './ended-reasons.ts';
import { agentIdSchema, campaignIdSchema } from './ids.ts';
import { nameText } from './name.ts';
import { pageCursor, pageLimit } from './page-query.ts';
import { jsonObject, storableText } from './text.ts';
import { webhookUrlText } from './webhook-endpoints.ts';

export const CAMPAIGN_STATES = [
  'draft',
  'scheduled',
  'running',
  'paused',
  'cancelling',
  'cancelled',
  'completed',
] as const;
export type CampaignState = (typeof CAMPAIGN_STATES)[number];

export const CAMPAIGN_HOLDS = ['funds', 'capacity', 'window', 'cap', 'budget', 'provider', 'account'] as const;
export type CampaignHold = (typeof CAMPAIGN_HOLDS)[number];

export const CAMPAIGN_LIMITS = {
  contacts: 1_000_000,
  contactsAtOnce: 500,
  contactsBytes: 1_048_576,
  fileBytes: 256 * 1024 * 1024,
  callsPerSecond: 100,
  /** As exact as both are stored: less would be none. */
  leastCallsPerSecond: 0.001,
  leastBudget: 0.01,
  weight: { min: 1, max: 100, default: 10 },
  maxConcurrent: 10_000,
  /** Of one account, that run at once. */
  running: 20,
  /** Of one account, in any state. */
  campaigns: 10_000,
  uploadErrors: 100_000,
  /** From now. */
  startsAheadDays: 90,
  endsAheadDays: 365,
} as const;

const moment = z.iso.datetime({
  offset: true,
  error: 'must be a time with its offset from UTC, such as 2026-12-01T09:00:00Z or 2026-12-01T09:00:00+01:00',
});
const timestamp = z.iso.datetime({ precision: 3 });
const zoneText = z.string().min(1, 'must not be empty').max(64, 'must be at most 64 characters');

const week = callingPolicySettingsSchema.shape.windows.unwrap().valueType;

export const campaignWindowSchema = z.strictObject({
  time_zone: zoneText.describe('The time zone of these hours (IANA, such as `America/New_York`).'),
  days: week.describe('The hours of each day; a day without any is closed.'),
});

const columnName = storableText.min(1, 'must not be empty').max(200, 'must be at most 200 characters');

const variableName = createCallSchema.shape.variables.unwrap().keyType;
/** A contact has no more of either. */
const columnsBy = (name: typeof variableName) =>
  z
    .record(name, columnName)
    .refine(
      (columns) => Object.keys(columns).length <= CALL_LIMITS.variables,
      `must have at most ${CALL_LIMITS.variables} entries`,
    );

/** Which column of a file is what. */
export const campaignColumnsSchema = z.strictObject({
  to_number: columnName.optional().describe('The column of the numbers.'),
  time_zone: columnName.optional().describe('The column of the callees’ time zones.'),
  variables: columnsBy(variableName).optional().describe('The column of each variable of the agent.'),
  metadata: columnsBy(storableText.min(1).max(64)).optional().describe('The column of each metadata field.'),
});
export type CampaignColumns = z.output<typeof campaignColumnsSchema>;

const boundedSeconds = (bounds: { readonly min: number; readonly max: number }) =>
  z
    .int(`must be a whole number of seconds from ${bounds.min} to ${bounds.max}`)
    .min(bounds.min, `must be at least ${bounds.min}`)
    .max(bounds.max, `must be at most ${bounds.max}`);

const { weight: WEIGHT } = CAMPAIGN_LIMITS;

/** What may be changed while it runs. */
const movable = {
  name: nameText(100).describe('A name, at most 100 characters.'),
  calls_per_second: z
    .number('must be a number')
    .min(CAMPAIGN_LIMITS.leastCallsPerSecond, `must be at least ${CAMPAIGN_LIMITS.leastCallsPerSecond}`)
    .max(CAMPAIGN_LIMITS.callsPerSecond, `must be at most ${CAMPAIGN_LIMITS.callsPerSecond}`)
    .nullable()
    .describe('How many calls begin in a second at most; null: as many as there are slots.'),
  max_concurrent: z
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(CAMPAIGN_LIMITS.maxConcurrent, `must be at most ${CAMPAIGN_LIMITS.maxConcurrent}`)
    .nullable()
    .describe('How many of its calls are open at once at most; null: as many as there are slots.'),
  weight: z
    .int('must be a whole number')
    .min(WEIGHT.min, `must be at least ${WEIGHT.min}`)
    .max(WEIGHT.max, `must be at most ${WEIGHT.max}`)
    .describe('Its part of the slots, beside other running campaigns.'),
  window: campaignWindowSchema.nullable().describe('When it calls, besides the calling policy; null: at any time.'),
  ends_at: moment
    .nullable()
    .describe(
      `No call of it is dialed later; at most ${CAMPAIGN_LIMITS.endsAheadDays} days ahead. Null: it ends with its last contact.`,
    ),
  budget: z
    .number('must be a number')
    .min(CAMPAIGN_LIMITS.leastBudget, `must be at least ${CAMPAIGN_LIMITS.leastBudget}`)
    .max(1_000_000_000, 'must be at most 1000000000')
    .nullable()
    .describe('What its calls may cost at most, in the currency of the account; it is paused then. Null: no bound.'),
};

/** What may be changed before it starts, and while it is paused. */
const fixed = {
  agent_id: agentIdSchema.describe('The agent that conducts its calls, in the version of its start.'),
  from_number: e164Schema.nullable().describe('As in a request for a call; null: the account’s default.'),
  columns: campaignColumnsSchema.describe('Which column of a file is what.'),
  default_country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'must be a country like US (ISO 3166-1 alpha-2)')
    .nullable()
    .describe('The country of numbers without a calling code; null: every number begins with a plus sign.'),
  retry: retrySchema.nullable().describe('As in a request for a call; null: each contact is called once.'),
  max_duration_seconds: boundedSeconds(CALL_LIMITS.maxDurationSeconds)
    .nullable()
    .describe('As in a request for a call; null: the default.'),
  ring_timeout_seconds: boundedSeconds(CALL_LIMITS.ringTimeoutSeconds)
    .nullable()
    .describe('As in a request for a call; null: the default.'),
  webhook_url: webhookUrlText.nullable().describe('As in a request for a call; null: only the account’s endpoints.'),
  starts_at: moment
    .nullable()
    .describe(`Not before this time, at most ${CAMPAIGN_LIMITS.startsAheadDays} days ahead; null: at its start.`),
  metadata: jsonObject(CALL_LIMITS.metadataBytes).describe('Your own data, returned unchanged.'),
};

/** The rest may be changed only in `draft` and `paused`. */
export const MOVABLE_CAMPAIGN_FIELDS: readonly string[] = Object.keys(movable);

/** `POST /campaigns`. */
export const createCampaignSchema = z.strictObject({
  name: movable.name,
  agent_id: fixed.agent_id,
  from_number: fixed.from_number.default(null),
  columns: fixed.columns.default({}),
  default_country: fixed.default_country.default(null),
  retry: fixed.retry.default(null),
  calls_per_second: movable.calls_per_second.default(null),
  max_concurrent: movable.max_concurrent.default(null),
  weight: movable.weight.default(WEIGHT.default),
  window: movable.window.default(null),
  starts_at: fixed.starts_at.default(null),
  ends_at: movable.ends_at.default(null),
  budget: movable.budget.default(null),
  max_duration_seconds: fixed.max_duration_seconds.default(null),
  ring_timeout_seconds: fixed.ring_timeout_seconds.default(null),
  webhook_url: fixed.webhook_url.default(null),
  metadata: fixed.metadata.default({}),
});
export type CreateCampaignBody = z.output<typeof createCampaignSchema>;

/** `PATCH /campaigns/{campaign_id}`. */
export const updateCampaignSchema = z.strictObject({ ...movable, ...fixed }).partial();
export type UpdateCampaignBody = z.output<typeof updateCampaignSchema>;

export const campaignProgressSchema = z.strictObject({
  contacts: z.int().describe('Accepted contacts.'),
  remaining: z.int().describe('Contacts without a call.'),
  waiting: z.int().describe('Scheduled calls: first attempts and retries.'),
  open: z.int().describe('Calls that are queued, dialing or talking.'),
  done: z.int().describe('Contacts whose last call has ended.'),
  not_dialled: z.int().describe('Contacts of a campaign that is over, without a call.'),
  by_reason: z
    .partialRecord(z.enum(endedReasons), z.int())
    .describe('How the last calls of the contacts that are done ended.'),
  answered: z.int().describe('Calls that were answered.'),
  answer_rate: z.number().nullable().describe('Answered calls, of all that ended. Null: none has.'),
  cost: z.number().describe('What its calls have cost, in the currency of the account.'),
  spent_percent: z.number().nullable().describe('Of the budget. Null: it has none.'),
  calls_last_minute: z.int().describe('Calls that ended in the last minute.'),
  held_by: z
    .enum(CAMPAIGN_HOLDS)
    .nullable()
    .describe(
      'Why it calls no more at the moment: `funds`, `capacity` (slots, or trunks), `window` (its own hours, or those of the next callees), `cap`, `budget`, `provider` (of its agent’s models, or a credential that is missing) or `account` (it is disabled); of a paused campaign `budget` if that is why. Null: it does, or it does not run.',
    ),
  estimated_finish_at: timestamp
    .nullable()
    .describe('When it will be done at this rate. Null: it is not known yet, or it is held up.'),
});
export type CampaignProgress = z.output<typeof campaignProgressSchema>;

export const campaignSchema = z.strictObject({
  id: z.guid().describe('Identifies the campaign.'),
  state: z.enum(CAMPAIGN_STATES).describe('Where it stands.'),
  ...movable,
  ...fixed,
  agent_version: z.int().nullable().describe('The version of the agent that conducts its calls. Null until it starts.'),
  ends_at: timestamp.nullable().describe(movable.ends_at.description ?? ''),
  starts_at: timestamp.nullable().describe(fixed.starts_at.description ?? ''),
  created_by: z.string().describe('Who created it: a member or a key.'),
  created_at: timestamp.describe('When it was created.'),
  started_at: timestamp.nullable().describe('When it started.'),
  ended_at: timestamp.nullable().describe('When it was completed or cancelled.'),
  progress: campaignProgressSchema,
});
export type CampaignBody = z.output<typeof campaignSchema>;

export const campaignEnvelopeSchema = z.strictObject({ campaign: campaignSchema });

/** The query of `GET /campaigns`. */
export const listCampaignsQuerySchema = z.strictObject({ limit: pageLimit('Campaigns'), cursor: pageCursor });
export const campaignListSchema = z.strictObject({
  campaigns: z.array(campaignSchema).describe('Newest first.'),
  has_more: z.boolean().describe('There are older campaigns.'),
  next_cursor: z.string().nullable().describe('Pass it as `cursor` to read on.'),
});

/** `POST /campaigns/{campaign_id}/cancel`. */
export const cancelCampaignSchema = z.strictObject({
  hang_up: z.boolean().default(false).describe('Ends its open calls too.'),
});

export const campaignParamsSchema = z.object({ campaign_id: campaignIdSchema.describe('The campaign.') });
