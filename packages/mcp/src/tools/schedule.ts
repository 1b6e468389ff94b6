import { RETRY_REASONS } from '@outdial/sdk';
import { z } from 'zod';

/** With its offset from UTC: a time without one would mean another moment to each reader. */
export const timeSchema = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/);

export const retrySchema = z.object({
  max_attempts: z.number().int().min(2).max(10).describe('How many calls there may be in all.'),
  on: z
    .array(z.enum(RETRY_REASONS))
    .min(1)
    .exactOptional()
    .describe('The ends that are followed by a retry. If omitted: busy, no_answer and carrier_unavailable.'),
  after_seconds: z
    .array(z.number().int().min(60).max(604_800))
    .min(1)
    .max(9)
    .exactOptional()
    .describe('From an end to the next call, by attempt; the last one repeats. If omitted: 900, 3600, 14400.'),
});
