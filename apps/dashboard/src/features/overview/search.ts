import { z } from 'zod';

export const RANGES = ['today', '7-days', '30-days', '90-days', 'custom'] as const;
export type Range = (typeof RANGES)[number];

const date = z.iso.date().optional().catch(undefined);

/** The time range in the URL. `from` and `to` belong to a custom range. */
export const overviewSearchSchema = z.object({
  range: z.enum(RANGES).optional().catch(undefined),
  from: date,
  to: date,
  zone: z.enum(['utc']).optional().catch(undefined),
});
export type OverviewSearch = z.output<typeof overviewSearchSchema>;
