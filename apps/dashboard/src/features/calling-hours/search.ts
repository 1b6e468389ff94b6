import { z } from 'zod';

/** An old version to fill the editor with. An invalid one is dropped. */
export const editHoursSearchSchema = z.object({
  version: z.int().min(1).optional().catch(undefined),
});
