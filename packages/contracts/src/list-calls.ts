import { z } from 'zod';
import { CALL_STATUSES, callSchema } from './call.ts';
import { e164Schema } from './e164.ts';
import { endedReasons } from './ended-reasons.ts';
import { agentIdSchema } from './ids.ts';

const instant = z.iso.datetime({ offset: true, error: 'must be an ISO 8601 time such as 2026-11-20T14:26:00Z' });

/** The query of `GET /outbound/calls`. Values are text, as a query string brings them. */
export const listCallsQuerySchema = z.strictObject({
  status: z.enum(CALL_STATUSES).optional(),
  agent_id: agentIdSchema.optional(),
  to_number: e164Schema.optional(),
  ended_reason: z.enum(endedReasons).optional(),
  created_after: instant.optional(),
  created_before: instant.optional(),
  limit: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, 'must be a whole number from 1 to 100')
    .transform(Number)
    .refine((value) => value <= 100, 'must be at most 100')
    .default(20),
  cursor: z.string().max(512).optional(),
});
export type ListCallsQuery = z.output<typeof listCallsQuerySchema>;

export const callListSchema = z.strictObject({
  calls: z.array(callSchema),
  has_more: z.boolean(),
  next_cursor: z.string().nullable(),
});
