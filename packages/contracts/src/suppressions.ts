import { z } from 'zod';
import { calleeNumberSchema, e164Schema } from './e164.ts';
import { callIdSchema, suppressionIdSchema } from './ids.ts';
import { pageCursor, pageLimit } from './page-query.ts';
import { storableText } from './text.ts';

/** `opt_out`: the person asked for it, and the entry stands. `manual`: a member, a program or the operator put the number on the list. */
export const SUPPRESSION_KINDS = ['opt_out', 'manual'] as const;
export type SuppressionKind = (typeof SUPPRESSION_KINDS)[number];

export const SUPPRESSION_SOURCES = ['call', 'api', 'dashboard', 'import', 'operator'] as const;
export type SuppressionSource = (typeof SUPPRESSION_SOURCES)[number];

/** How it is known that a person opted out: by a key, as a model understood, or because a person passed it on. */
export const OPT_OUT_EVIDENCE = ['key', 'tool', 'request'] as const;
export type OptOutEvidence = (typeof OPT_OUT_EVIDENCE)[number];

export const MOST_NUMBERS_AT_ONCE = 500;
/** Manual entries of one account; opt-outs are not counted. */
export const MOST_SUPPRESSIONS = 5_000_000;
const MAX_REASON_LENGTH = 500;

const reasonText = storableText.trim().max(MAX_REASON_LENGTH, `must be at most ${MAX_REASON_LENGTH} characters`);
const timestamp = z.iso.datetime({ precision: 3 });

const numbersSchema = z
  .array(calleeNumberSchema)
  .min(1, 'must have at least one entry')
  .max(MOST_NUMBERS_AT_ONCE, `must have at most ${MOST_NUMBERS_AT_ONCE} entries`);

/** `POST /suppressions`. */
export const createSuppressionsSchema = z.strictObject({
  numbers: numbersSchema.describe(
    'The numbers that are not called any more. One that is on the list already stays as it is.',
  ),
  reason: reasonText.optional().describe('Why. Readers of the list see it.'),
});
export type CreateSuppressionsBody = z.output<typeof createSuppressionsSchema>;

/** `POST /suppressions/check`. */
export const checkSuppressionsSchema = z.strictObject({ numbers: numbersSchema.describe('The numbers to look up.') });

/** `DELETE /suppressions/{suppression_id}`. */
export const deleteSuppressionSchema = z.strictObject({
  reason: reasonText.min(1, 'must not be empty').describe('Why the number may be called again. It is audited.'),
});

/** `POST /outbound/calls/{call_id}/opt-out`. */
export const optOutCallSchema = z.strictObject({
  reason: reasonText.optional().describe('What the callee said. Readers of the list see it.'),
});

export const suppressionSchema = z.strictObject({
  id: z.guid().describe('Identifies the entry.'),
  number: z.string().describe('The number that is not called.'),
  kind: z
    .enum(SUPPRESSION_KINDS)
    .describe(
      '`opt_out`: the person asked for it; only the operator lifts it. `manual`: a member, a program or the operator put the number on the list.',
    ),
  source: z.enum(SUPPRESSION_SOURCES).describe('Where the entry comes from.'),
  reason: z.string().nullable().describe('Why, if a reason was given.'),
  call_id: z.guid().nullable().describe('The call in which the person opted out.'),
  created_at: timestamp.describe('No dial to the number begins more than a second later.'),
});
export type SuppressionBody = z.output<typeof suppressionSchema>;

export const suppressionEnvelopeSchema = z.strictObject({ suppression: suppressionSchema });

export const createdSuppressionsSchema = z.strictObject({
  added: z.int().describe('How many of the numbers were not on the list before.'),
  suppressions: z.array(suppressionSchema).describe('The entries of all these numbers, new or not, by number.'),
});

export const suppressionListSchema = z.strictObject({
  suppressions: z.array(suppressionSchema).describe('Newest first.'),
  has_more: z.boolean().describe('There are older entries.'),
  next_cursor: z.string().nullable().describe('Pass it as `cursor` to read on.'),
});

export const suppressionCheckSchema = z.strictObject({
  number: z.string().describe('As in the request.'),
  suppressed: z.boolean().describe('A call to the number would be refused.'),
  by: z
    .enum(['account', 'platform'])
    .nullable()
    .describe('Whose list the number is on. `platform`: the operator’s, for all accounts.'),
  suppression: suppressionSchema.nullable().describe('The entry of the account’s own list.'),
});
export const suppressionChecksSchema = z.strictObject({
  results: z.array(suppressionCheckSchema).describe('One for each number of the request, in its order.'),
});

export const suppressionProblemSchema = z.strictObject({
  line: z.int().describe('Counts from 1, the header included.'),
  value: z.string().describe('What stands there, cut to 40 characters.'),
  message: z.string().describe('What is wrong with it.'),
});

/** `POST /suppressions/import`. */
export const suppressionImportSchema = z.strictObject({
  lines: z.int().describe('Lines with a number, or with something in its place.'),
  added: z.int().describe('Numbers that were not on the list before.'),
  already_listed: z.int().describe('Numbers that were on the list, or twice in the file.'),
  invalid: z.int().describe('Lines without a valid number. The others were added all the same.'),
  problems: z.array(suppressionProblemSchema).describe('The first 100 invalid lines.'),
});
export type SuppressionImportBody = z.output<typeof suppressionImportSchema>;

export const listSuppressionsQuerySchema = z.strictObject({
  limit: pageLimit('Entries'),
  cursor: pageCursor,
  number: e164Schema.optional().describe('Only entries of this number. Write the plus sign as `%2B`.'),
  kind: z
    .enum(SUPPRESSION_KINDS, `must be ${SUPPRESSION_KINDS.join(' or ')}`)
    .optional()
    .describe('Only entries of this kind.'),
});

export const MAX_SUPPRESSIONS_FILE_BYTES = 64 * 1024 * 1024;

export const importSuppressionsQuerySchema = z.strictObject({
  column: z
    .string()
    .min(1, 'must not be empty')
    .max(100, 'must be at most 100 characters')
    .optional()
    .describe(
      'The column of the numbers, as the first line names it. Without it, each line begins with its number, and a first line without a digit there is skipped.',
    ),
  reason: reasonText.optional().describe('Why. Readers of the list see it.'),
});

export const suppressionParamsSchema = z.object({ suppression_id: suppressionIdSchema.describe('The entry.') });
export const optOutParamsSchema = z.object({ call_id: callIdSchema.describe('The call.') });
