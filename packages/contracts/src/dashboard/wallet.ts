import { z } from 'zod';

/** `GET …/spend`: the last 30 days by UTC date, oldest first, including days without calls. */
export const spendSchema = z.strictObject({
  currency: z.string(),
  days: z.array(z.strictObject({ date: z.iso.date(), cost: z.number(), calls: z.int() })),
});
export type SpendBody = z.output<typeof spendSchema>;
