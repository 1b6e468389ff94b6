import { z } from 'zod';

/** Amounts are in units of the account's currency, at most six decimals. The balance itself is in `GET …/account`. */
export const ledgerEntrySchema = z.strictObject({
  id: z.string(),
  kind: z.enum(['top_up', 'call_charge', 'analysis_charge', 'try_charge']),
  /** A top-up is positive, a charge negative. */
  amount: z.number(),
  /** The balance after this entry. */
  balance_after: z.number(),
  call_id: z.guid().nullable(),
  /** For a try: the agent’s name in the version that was tried. */
  agent_name: z.string().nullable(),
  /** For a call: the called number and the billed seconds. */
  to_number: z.string().nullable(),
  billable_seconds: z.int().nullable(),
  created_at: z.iso.datetime({ precision: 3 }),
});
export type LedgerEntryBody = z.output<typeof ledgerEntrySchema>;

/** The query of `GET …/ledger`, as text from a query string. */
export const ledgerQuerySchema = z.strictObject({
  before: z
    .string()
    .regex(/^\d{1,18}\.-?\d{1,16}$/, 'must be `next_before` of the previous page')
    .optional(),
  limit: z
    .string()
    .regex(/^(?:[1-9]\d?|100)$/, 'must be a whole number from 1 to 100')
    .transform(Number)
    .default(50),
});
/** Newest first. */
export const ledgerPageSchema = z.strictObject({
  entries: z.array(ledgerEntrySchema),
  /** Pass it as `before` to get the next page. Null: this is the last page. */
  next_before: z.string().nullable(),
});

/** `GET …/spend`: the last 30 days by UTC date, oldest first, including days without calls. */
export const spendSchema = z.strictObject({
  currency: z.string(),
  days: z.array(z.strictObject({ date: z.iso.date(), cost: z.number(), calls: z.int() })),
});
export type SpendBody = z.output<typeof spendSchema>;
