import { z } from 'zod';

/** Where the wizard stands. */
export const newCampaignSearchSchema = z.object({
  /** The draft to go on with. Absent: there is none yet. */
  campaign: z.guid().optional().catch(undefined),
  /** The upload of the draft whose report is shown. */
  upload: z
    .string()
    .regex(/^[1-9]\d{0,8}$/)
    .optional()
    .catch(undefined),
  /** `settings`: the draft's settings are being changed. */
  step: z.literal('settings').optional().catch(undefined),
});
export type NewCampaignSearch = z.output<typeof newCampaignSearchSchema>;
