import { z } from 'zod';
import { CALL_STATUSES } from './call.ts';
import { CAMPAIGN_LIMITS, campaignParamsSchema } from './campaigns.ts';
import { CALL_LIMITS, createCallSchema } from './create-call.ts';
import { calleeNumberSchema } from './e164.ts';
import { endedReasons } from './ended-reasons.ts';
import { pageCursor, pageLimit } from './page-query.ts';
import { jsonObject, storableText } from './text.ts';

const timestamp = z.iso.datetime({ precision: 3 });
const contactOutcomes = [...endedReasons, 'not_dialled'] as const;

/** The query of `GET /campaigns/{campaign_id}/contacts`. */
export const listContactsQuerySchema = z.strictObject({
  outcome: z
    .enum(contactOutcomes, `must be one of ${contactOutcomes.join(', ')}`)
    .optional()
    .describe(
      'Only contacts whose last call ended like this, with no retry to follow; `not_dialled`: those without a call, of a campaign that is over.',
    ),
  limit: pageLimit('Contacts'),
  cursor: pageCursor,
});

export const campaignContactSchema = z.strictObject({
  upload: z.int().describe('The upload that it came with.'),
  line: z.int().describe('Its line in the file, or its place in the request, from 1.'),
  number: z.string().describe('The number.'),
  attempts: z.int().describe('Its calls, the scheduled one included.'),
  call_id: z.guid().nullable().describe('Its last call. Null: it has none.'),
  call_status: z.enum(CALL_STATUSES).nullable().describe('Where that call stands.'),
  outcome: z
    .enum(contactOutcomes)
    .nullable()
    .describe(
      'How its last call ended; `not_dialled` if the campaign is over without a call to it. Null: not yet known.',
    ),
});
export type CampaignContactBody = z.output<typeof campaignContactSchema>;

export const campaignContactListSchema = z.strictObject({
  contacts: z.array(campaignContactSchema).describe('In the order of the uploads and their lines.'),
  has_more: z.boolean().describe('There are more contacts.'),
  next_cursor: z.string().nullable().describe('Pass it as `cursor` to read on.'),
});

/** `POST /campaigns/{campaign_id}/contacts` as JSON. */
export const addContactsSchema = z.strictObject({
  contacts: z
    .array(
      z.strictObject({
        to_number: calleeNumberSchema.describe('The number to call.'),
        variables: createCallSchema.shape.variables.unwrap().default({}),
        metadata: jsonObject(CALL_LIMITS.metadataBytes).default({}),
        time_zone: createCallSchema.shape.callee_time_zone
          .unwrap()
          .optional()
          .describe('The callee’s time zone, as in a request for a call.'),
      }),
    )
    .min(1, 'must have at least one entry')
    .max(CAMPAIGN_LIMITS.contactsAtOnce, `must have at most ${CAMPAIGN_LIMITS.contactsAtOnce} entries`)
    .describe('Whom to call. A number that the campaign has already is a duplicate, and is not added again.'),
});
export type AddContactsBody = z.output<typeof addContactsSchema>;

export const uploadProblemSchema = z.strictObject({
  line: z.int().describe('Counts from 1, the header included.'),
  column: z.string().describe('The column, as the header names it.'),
  value: z.string().describe('What stands there, its digits masked, cut to 40 characters.'),
  message: z.string().describe('What is wrong with it.'),
});

export const campaignUploadSchema = z.strictObject({
  number: z.int().describe('Counts the uploads of the campaign from 1.'),
  state: z.enum(['receiving', 'ready', 'failed']).describe('`ready`: its contacts are called.'),
  file_name: z.string().nullable().describe('The name of the file, if it was given.'),
  rows: z.int().describe('Lines with a contact, or with something in its place.'),
  accepted: z.int().describe('Contacts that were added.'),
  duplicates: z.int().describe('Numbers that the campaign had already.'),
  invalid: z.int().describe('Lines that are no contact.'),
  started_at: timestamp,
  ended_at: timestamp.nullable(),
  error: z.string().nullable().describe('Why it failed.'),
});
export type CampaignUploadBody = z.output<typeof campaignUploadSchema>;

export const campaignUploadEnvelopeSchema = z.strictObject({
  upload: campaignUploadSchema.extend({
    errors: z.array(uploadProblemSchema).describe('The first 100 lines that are no contact.'),
  }),
});

/** The query of `POST /campaigns/{campaign_id}/contacts`. */
export const addContactsQuerySchema = z.strictObject({
  file_name: storableText
    .min(1, 'must not be empty')
    .max(200, 'must be at most 200 characters')
    .optional()
    .describe('The name of the file, for its list.'),
  on_invalid: z
    .enum(['skip', 'refuse'])
    .default('skip')
    .describe(
      'Lines of a file that are no contact. `skip`: the others are added. `refuse`: one of them, and nothing is added.',
    ),
});

export const uploadParamsSchema = z.object({
  ...campaignParamsSchema.shape,
  upload: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'must be the number of an upload')
    .transform(Number)
    .meta({ description: 'The number of the upload, from 1.', type: 'integer', minimum: 1 }),
});
