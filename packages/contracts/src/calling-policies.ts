import { z } from 'zod';
import { calleeNumberSchema } from './e164.ts';
import { pageCursor, pageLimit } from './page-query.ts';
import { isPolicyRegion } from './policy-regions.ts';

/** Monday first, as ISO 8601 counts them. */
export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

export const POLICY_LIMITS = {
  intervalsADay: 4,
  /** Rows of regions, beside the default. */
  regions: 80,
  closedDays: 400,
  caps: 5,
  capHours: { min: 1, max: 720 },
  capCalls: { min: 1, max: 50 },
} as const;

export const POLICY_PACKS = ['open', 'standard', 'us'] as const;
export type PolicyPack = (typeof POLICY_PACKS)[number];
export const policyPackSchema = z.enum(POLICY_PACKS, `must be ${POLICY_PACKS.join(', ')}`);

const interval = z
  .string()
  .regex(
    /^(?:[01]\d|2[0-3]):[0-5]\d-(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/,
    'must be like 08:00-21:00, with 24:00 for the end of the day',
  )
  .refine((text) => text.slice(0, 5) < text.slice(6), 'must end after it begins: split a window that passes midnight');

const intervals = z
  .array(interval)
  .max(POLICY_LIMITS.intervalsADay, `must have at most ${POLICY_LIMITS.intervalsADay} times`)
  .refine(doNotOverlap, 'must be in order, without overlaps')
  .default([]);

function doNotOverlap(day: readonly string[]): boolean {
  return day.every((text, index) => index === 0 || (day[index - 1] ?? '').slice(6) <= text.slice(0, 5));
}

/** A day that is not named is closed. */
const weekSchema = z.strictObject({
  mon: intervals,
  tue: intervals,
  wed: intervals,
  thu: intervals,
  fri: intervals,
  sat: intervals,
  sun: intervals,
});
export type CallingWeek = z.output<typeof weekSchema>;

const NO_REGION = 'must be default, a country like GB, or a region like US-FL (ISO 3166)';
const windowRow = z.string().regex(/^(?:default|[A-Z]{2}(?:-[A-Z0-9]{1,3})?)$/, { error: NO_REGION, abort: true });
const newWindowRow = windowRow.refine((key) => key === 'default' || isPolicyRegion(key), NO_REGION);

const windowsBy = (row: typeof windowRow) =>
  z
    .record(row, weekSchema)
    .refine(
      (rows) => Object.keys(rows).filter((key) => key !== 'default').length <= POLICY_LIMITS.regions,
      `must have at most ${POLICY_LIMITS.regions} regions`,
    )
    .default({})
    .describe(
      'When calls may be dialed, by the callee’s local clock. The row `default` holds everywhere; a row of a country or region (ISO 3166: `GB`, `US-FL`) holds there besides, so that what either closes is closed. Each row has the times of each day, from `00:00` to `24:00`; a day without times is closed. Without rows, every hour is open.',
    );

const capSchema = z.strictObject({
  hours: z
    .int(`must be a whole number from ${POLICY_LIMITS.capHours.min} to ${POLICY_LIMITS.capHours.max}`)
    .min(POLICY_LIMITS.capHours.min, `must be at least ${POLICY_LIMITS.capHours.min}`)
    .max(POLICY_LIMITS.capHours.max, `must be at most ${POLICY_LIMITS.capHours.max}`)
    .describe('The length of the period, which ends with the dial.'),
  max: z
    .int(`must be a whole number from ${POLICY_LIMITS.capCalls.min} to ${POLICY_LIMITS.capCalls.max}`)
    .min(POLICY_LIMITS.capCalls.min, `must be at least ${POLICY_LIMITS.capCalls.min}`)
    .max(POLICY_LIMITS.capCalls.max, `must be at most ${POLICY_LIMITS.capCalls.max}`)
    .describe('How many calls to one number are dialed in such a period at most.'),
});
export type AttemptCap = z.output<typeof capSchema>;

const closedDay = z.iso.date('must be a date like 2026-12-25');

/** As it is kept: a version keeps a region whose code a later release no longer knows. */
const keptSettingsSchema = z.strictObject({
  pack: z
    .enum(POLICY_PACKS, `must be ${POLICY_PACKS.join(', ')}, or null`)
    .nullable()
    .default(null)
    .describe('The built-in rules that it began with, as a note. It changes nothing.'),
  windows: windowsBy(windowRow),
  closed_days: z
    .array(closedDay)
    .max(POLICY_LIMITS.closedDays, `must have at most ${POLICY_LIMITS.closedDays} dates`)
    .refine((days) => new Set(days).size === days.length, 'must name each date once')
    .default([])
    .describe('Dates on which no call is dialed, by the callee’s local calendar.'),
  trust_given_zone: z
    .boolean()
    .default(false)
    .describe(
      '`callee_time_zone` of a request is taken instead of the zones of the number. Otherwise it is added to them: all must be open.',
    ),
  caps: z
    .array(capSchema)
    .max(POLICY_LIMITS.caps, `must have at most ${POLICY_LIMITS.caps} caps`)
    .default([])
    .describe('How often one number is called. A call counts when it may be dialed, whatever becomes of it.'),
});

/** `PUT /account/calling-policy`, and the operator's floor. What is not given closes nothing. */
export const callingPolicySettingsSchema = keptSettingsSchema.extend({ windows: windowsBy(newWindowRow) });
export type CallingPolicySettings = z.output<typeof callingPolicySettingsSchema>;

/** Without a rule. */
export const OPEN_POLICY: CallingPolicySettings = {
  pack: 'open',
  windows: {},
  closed_days: [],
  trust_given_zone: false,
  caps: [],
};

const timestamp = z.iso.datetime({ precision: 3 });

export const callingPolicySchema = keptSettingsSchema.extend({
  version: z.int().min(0).describe('Rises with each change. 0: the account never had a policy, and calls at any hour.'),
  saved_by: z
    .string()
    .nullable()
    .describe('Who saved it: the name of a member or a key, `operator`, or `default`. Null for version 0.'),
  saved_at: timestamp.nullable().describe('From then on it is asked before each dial.'),
});
export type CallingPolicyBody = z.output<typeof callingPolicySchema>;

/** `GET` and `PUT /account/calling-policy`. */
export const callingPolicyEnvelopeSchema = z.strictObject({
  calling_policy: callingPolicySchema,
  floor: keptSettingsSchema
    .nullable()
    .describe('The operator’s rules, which hold besides the account’s own. Null: there are none.'),
});

/** `GET /account/calling-policy/versions`. */
export const callingPolicyVersionsSchema = z.strictObject({
  versions: z.array(callingPolicySchema).describe('Newest first.'),
  has_more: z.boolean().describe('There are older versions.'),
  next_cursor: z.string().nullable().describe('Pass it as `cursor` to read on.'),
});

export const listPolicyVersionsQuerySchema = z.strictObject({
  limit: pageLimit('Versions'),
  cursor: pageCursor,
});

/** What a `callee_time_zone` that names no zone is answered, in a request for a call too. */
export const TIME_ZONE_PROBLEM = 'must be a time zone of the IANA database, like America/Denver';

/** `POST /account/calling-policy/check`. */
export const checkCallingPolicySchema = z.strictObject({
  number: calleeNumberSchema.describe('The number to ask about.'),
  at: z.iso
    .datetime({ offset: true, error: 'must be a time with its offset from UTC, such as 2026-12-01T09:00:00-05:00' })
    .optional()
    .describe('The moment to ask about, at most a year from now; now unless given.'),
  callee_time_zone: z
    .string()
    .max(64, 'must be at most 64 characters')
    .optional()
    .describe('As in a request for a call.'),
});

const POLICY_VERDICTS = ['allowed', 'outside_calling_window', 'frequency_capped'] as const;

/** What the policy says of a number. Do-not-call lists are asked by `POST /suppressions/check`. */
export const callingPolicyCheckSchema = z.strictObject({
  number: z.string().describe('As in the request.'),
  verdict: z.enum(POLICY_VERDICTS).describe('What a request for a call would be answered.'),
  zones: z
    .array(z.strictObject({ zone: z.string(), local_time: z.string(), open: z.boolean() }))
    .describe('Each time zone in which the callee may be, its clock at that moment, and whether calls are open there.'),
  regions: z
    .array(z.string())
    .describe('The countries and regions in which the callee may be (ISO 3166). `US-*`: in any region of the country.'),
  certain: z.boolean().describe('The number, or `callee_time_zone`, says where the callee is.'),
  opens_at: timestamp
    .nullable()
    .describe('When all zones are open next, if they are not. Null: they are, or it is not within 90 days.'),
  closes_at: timestamp
    .nullable()
    .describe('When the first zone closes, if all are open. Null: it is not within 90 days.'),
  capped_until: timestamp.nullable().describe('When the number may be called again. Null: no cap is reached.'),
  policy_version: z.int().describe('The version that was asked.'),
});
export type CallingPolicyCheckBody = z.output<typeof callingPolicyCheckSchema>;
