import { z } from 'zod';
import { endedReasons } from '../ended-reasons.ts';

/** The longest span that totals are given for. */
export const MOST_TOTALS_DAYS = 366;

const date = z.iso.date('must be a date such as 2026-11-20');

/** The query of `GET …/totals`: text, as a query string brings it. Days are those of `time_zone`, both included. */
export const totalsQuerySchema = z.strictObject({
  from: date,
  to: date,
  /** An IANA name, such as `Europe/Berlin`. */
  time_zone: z.string().max(64).default('UTC'),
});

/** Seconds are sums over the calls; `cost` is in units of the account's currency. */
const sumsSchema = z.strictObject({
  calls: z.int(),
  answered: z.int(),
  cost: z.number(),
  /** From the request until the call was dialled, or ended without. */
  waiting_seconds: z.number(),
  /** From there until it was answered, or ended without. */
  ringing_seconds: z.number(),
  talking_seconds: z.number(),
});
export type CallSumsBody = z.output<typeof sumsSchema>;

/** `GET …/totals`: the calls that ended in a span, by the moment that they ended. */
export const totalsSchema = z.strictObject({
  from: date,
  to: date,
  time_zone: z.string(),
  currency: z.string(),
  /** False for some minutes after an update: calls from before it are still being counted. */
  is_complete: z.boolean(),
  all: sumsSchema,
  step: z.enum(['hour', 'day']),
  /** All steps of the span, the oldest first. */
  steps: z.array(
    sumsSchema.extend({
      starts_at: z.iso.datetime({ precision: 3 }),
      reasons: z.partialRecord(z.enum(endedReasons), z.int()),
    }),
  ),
  /** Those with the most calls first, at most 100. */
  agents: z.array(sumsSchema.extend({ agent_id: z.guid(), name: z.string().nullable() })),
  /** By the number that was called from; likewise. */
  numbers: z.array(sumsSchema.extend({ number: z.string() })),
});
export type TotalsBody = z.output<typeof totalsSchema>;
