import { z } from 'zod';

/** Amounts are in units of the account's currency, at most six decimals. The balance itself is `GET …/account`'s. */
export const ledgerEntrySchema = z.strictObject({
  id: z.string(),
  kind: z.enum(['top_up', 'call_charge']),
  /** A top-up adds, a charge takes away. */
  amount: z.number(),
  /** The balance once this entry was booked. */
  balance_after: z.number(),
  call_id: z.guid().nullable(),
  /** Of a call: the number that was called, and what it was charged for. */
  to_number: z.string().nullable(),
  billable_seconds: z.int().nullable(),
  created_at: z.iso.datetime({ precision: 3 }),
});
export type LedgerEntryBody = z.output<typeof ledgerEntrySchema>;

/** The query of `GET …/ledger`: text, as a query string brings it. */
export const ledgerQuerySchema = z.strictObject({
  before: z
    .string()
    .regex(/^\d{1,18}\.-?\d{1,16}$/, 'must be `next_before` of the page before')
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
  /** Gives the next page as `before`. Null: this is the last. */
  next_before: z.string().nullable(),
});

/** `GET …/spend`: the last 30 days by UTC date, the oldest first, days without calls too. */
export const spendSchema = z.strictObject({
  currency: z.string(),
  days: z.array(z.strictObject({ date: z.iso.date(), cost: z.number(), calls: z.int() })),
});
export type SpendBody = z.output<typeof spendSchema>;
