import { z } from 'zod';

/** An old version to fill the editor with. An invalid one is dropped. */
export const editHoursSearchSchema = z.object({
  version: z
    .string()
    .regex(/^[1-9]\d{0,8}$/)
    .optional()
    .catch(undefined),
});
