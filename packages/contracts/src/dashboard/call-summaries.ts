import { z } from 'zod';
import { changedCallSchema } from './changes.ts';

/** `GET …/calls`, with the query of `GET /outbound/calls`: calls in the shape of the change stream, newest first. */
export const callSummaryListSchema = z.strictObject({
  calls: z.array(changedCallSchema),
  has_more: z.boolean(),
  next_cursor: z.string().nullable(),
});
