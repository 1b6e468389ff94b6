import { z } from 'zod';
import { pageLimit } from './page-query.ts';

export const ledgerEntrySchema = z.strictObject({
  id: z.string().describe('Increases with time.'),
  kind: z.enum(['top_up', 'call_charge', 'analysis_charge', 'try_charge']).describe('What changed the balance.'),
  amount: z.number().describe('In units of the account’s currency, at most six decimals. A charge is negative.'),
  balance_after: z.number().describe('The balance after this entry.'),
  call_id: z.guid().nullable().describe('Of a charge for a call: the call.'),
  agent_name: z.string().nullable().describe('Of a try: the agent’s name in the version that was tried.'),
  to_number: z.string().nullable().describe('Of a call: the called number.'),
  billable_seconds: z.int().nullable().describe('Of a call: the billed seconds.'),
  created_at: z.iso.datetime({ precision: 3 }).describe('When it was booked.'),
});
export type LedgerEntryBody = z.output<typeof ledgerEntrySchema>;

/** The query of `GET /account/ledger`, as text from a query string. */
export const ledgerQuerySchema = z.strictObject({
  cursor: z
    .string()
    .regex(/^\d{1,18}\.-?\d{1,16}$/, 'must be the next_cursor of an earlier page, unchanged')
    .optional()
    .describe('`next_cursor` of the previous page, unchanged.'),
  limit: pageLimit('Entries', 50),
});
export const ledgerPageSchema = z.strictObject({
  entries: z.array(ledgerEntrySchema).describe('Newest first.'),
  has_more: z.boolean().describe('Whether there is another page.'),
  next_cursor: z.string().nullable().describe('Pass it as `cursor` to get the next page. Null: this is the last page.'),
});
