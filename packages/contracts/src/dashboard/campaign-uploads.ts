import { z } from 'zod';
import { campaignUploadSchema } from '../campaign-contacts.ts';

/** The query of `GET …/campaigns/{campaign_id}/uploads`, as text from a query string. */
export const campaignUploadsQuerySchema = z.strictObject({
  before: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'must be `next_before` of the previous page')
    .transform(Number)
    .optional(),
});

/** Newest first. `next_before` is null on the last page. */
export const campaignUploadListSchema = z.strictObject({
  uploads: z.array(campaignUploadSchema),
  next_before: z.string().nullable(),
});
