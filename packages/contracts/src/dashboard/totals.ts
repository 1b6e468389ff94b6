import { z } from 'zod';
import { endedReasons } from '../ended-reasons.ts';

/** The longest span of totals. */
export const MAX_TOTALS_DAYS = 366;

const date = z.iso.date('must be a date such as 2026-11-20');

/** The query of `GET …/totals`, as text from a query string. Days are those of `time_zone`, both included. */
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
  /** From the request until the call was dialed, or ended before that. */
  waiting_seconds: z.number(),
  /** From the dial until the call was answered, or ended before that. */
  ringing_seconds: z.number(),
  talking_seconds: z.number(),
});
export type CallSumsBody = z.output<typeof sumsSchema>;

/** `GET …/totals`: the calls that ended within a span, by the time of their end. */
export const totalsSchema = z.strictObject({
  from: date,
  to: date,
  time_zone: z.string(),
  currency: z.string(),
  /** False for some minutes after an update, while older calls are still being counted. */
  is_complete: z.boolean(),
  all: sumsSchema,
  step: z.enum(['hour', 'day']),
  /** All steps of the span, oldest first. */
  steps: z.array(
    sumsSchema.extend({
      starts_at: z.iso.datetime({ precision: 3 }),
      reasons: z.partialRecord(z.enum(endedReasons), z.int()),
    }),
  ),
  /** Agents with the most calls first, at most 100. */
  agents: z.array(sumsSchema.extend({ agent_id: z.guid(), name: z.string().nullable() })),
  /** Caller numbers with the most calls first, at most 100. */
  numbers: z.array(sumsSchema.extend({ number: z.string() })),
});
export type TotalsBody = z.output<typeof totalsSchema>;
