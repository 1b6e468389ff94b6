import { z } from 'zod';
import { CALL_STATUSES, callSchema } from './call.ts';
import { e164Schema } from './e164.ts';
import { endedReasons } from './ended-reasons.ts';
import { agentIdSchema, campaignIdSchema } from './ids.ts';

const instant = z.iso.datetime({ offset: true, error: 'must be an ISO 8601 time such as 2026-11-20T14:26:00Z' });

/** The query of `GET /outbound/calls`. Values are text from a query string. */
export const listCallsQuerySchema = z.strictObject({
  status: z.enum(CALL_STATUSES).optional().describe('Only calls with this status.'),
  agent_id: agentIdSchema.optional().describe('Only calls of this agent.'),
  campaign_id: campaignIdSchema.optional().describe('Only calls of this campaign.'),
  to_number: e164Schema.optional().describe('Only calls to this number; the plus sign is sent as %2B.'),
  ended_reason: z.enum(endedReasons).optional().describe('Only calls that ended for this reason.'),
  search: z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(200, 'must be at most 200 characters')
    .regex(/^[^\0]*$/, 'must not contain the character NUL')
    .optional()
    .describe(
      'Only calls that match by part of the called number (at least three digits), by their id, or by a value of their metadata: `0100`, `order=1042`, `1042`.',
    ),
  created_after: instant.optional().describe('Only calls created after this time.'),
  created_before: instant.optional().describe('Only calls created before this time.'),
  limit: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, 'must be a whole number from 1 to 100')
    .transform(Number)
    .refine((value) => value <= 100, 'must be at most 100')
    .default(20)
    // Query values are text; the API reference shows the number that the client writes.
    .meta({ description: 'Calls per page; default 20.', type: 'integer', minimum: 1, maximum: 100 }),
  cursor: z.string().max(512).optional().describe('`next_cursor` of the previous page, unchanged.'),
});
export type ListCallsQuery = z.output<typeof listCallsQuerySchema>;

export const callListSchema = z.strictObject({
  calls: z.array(callSchema).describe('Newest first. At most `limit` calls and about 1 MB, but at least one call.'),
  has_more: z.boolean().describe('Whether there is another page.'),
  next_cursor: z.string().nullable().describe('Pass it as `cursor` to get the next page. Null: this is the last page.'),
});
