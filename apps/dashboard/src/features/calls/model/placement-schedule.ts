import {
  createCallSchema,
  ENDED_REASONS,
  endedReasons,
  SCHEDULE_LIMITS,
  type CreateCallBody,
  type EndedReason,
} from '@outdial/contracts';
import { z } from 'zod';
import { toOffsetTime } from '../../../shared/format/zone.ts';
import { wordsOf, type FieldErrors } from '../../../shared/forms/field-errors.ts';

/** When to call and whether to try again, as the form has it. Times are local, without a zone. */
export const scheduleValuesSchema = z.object({
  when: z.enum(['now', 'later']),
  scheduled_for: z.string(),
  expires_at: z.string(),
  /** Of a call that is to be dialed now: wait while all slots are taken. */
  waits_for_slot: z.boolean(),
  /** Of such a call: wait while the callee's calling hours are closed. A later call waits in any case. */
  waits_for_hours: z.boolean(),
  retry: z
    .object({
      is_on: z.boolean(),
      max_attempts: z.union([z.number(), z.string()]),
      on: z.array(z.enum(endedReasons)).readonly(),
      /** A value of `WAITS`. */
      after_seconds: z.string(),
    })
    .readonly(),
});
export type ScheduleValues = Readonly<z.output<typeof scheduleValuesSchema>>;

/** The part of the request about when to call. */
export type PlacementSchedule = Pick<
  CreateCallBody,
  'scheduled_for' | 'expires_at' | 'on_capacity' | 'on_closed' | 'retry'
>;

/** After these the callee was not reached: the service's own choice. */
const USUAL_REASONS: readonly EndedReason[] = ['busy', 'no_answer', 'carrier_unavailable'];
/** The reasons that a retry may follow, the usual ones first. A call whose time is over is never tried again. */
export const RETRY_REASONS: readonly EndedReason[] = [
  ...USUAL_REASONS,
  ...endedReasons.filter(
    (reason) => ENDED_REASONS[reason].retryable && reason !== 'schedule_expired' && !USUAL_REASONS.includes(reason),
  ),
];
/** After these the callee's telephone may have rung already. */
export const MAY_HAVE_RUNG: readonly EndedReason[] = ['worker_lost', 'reconciled_unknown'];

/** How long to wait before the next call: the service's own times, or one time for all. */
export const DEFAULT_WAIT = 'default';
export const WAITS = [DEFAULT_WAIT, '300', '900', '3600', '14400', '86400'] as const;

export const NO_SCHEDULE: ScheduleValues = {
  when: 'now',
  scheduled_for: '',
  expires_at: '',
  waits_for_slot: false,
  waits_for_hours: false,
  retry: {
    is_on: false,
    max_attempts: 3,
    on: USUAL_REASONS,
    after_seconds: DEFAULT_WAIT,
  },
};

/** Whether the call has a time to give up: a call that is dialed once, at once, has none. */
export function canExpire({ when, waits_for_slot: slot, waits_for_hours: hours, retry }: ScheduleValues): boolean {
  return when === 'later' || slot || hours || retry.is_on;
}

const partSchema = createCallSchema.pick({
  scheduled_for: true,
  expires_at: true,
  on_capacity: true,
  on_closed: true,
  retry: true,
});

/** The request's part about when to call, or the errors by field, in the API's words. */
export function readSchedule(
  values: ScheduleValues,
  nowMs: number,
):
  | { readonly schedule: PlacementSchedule; readonly errors: null }
  | { readonly schedule: null; readonly errors: FieldErrors } {
  const { when, retry } = values;
  const isLater = when === 'later';
  const parsed = partSchema.safeParse({
    ...(isLater ? { scheduled_for: toOffsetTime(values.scheduled_for) } : {}),
    ...(canExpire(values) && values.expires_at !== '' ? { expires_at: toOffsetTime(values.expires_at) } : {}),
    ...(!isLater && values.waits_for_slot ? { on_capacity: 'queue' } : {}),
    ...(!isLater && values.waits_for_hours ? { on_closed: 'wait' } : {}),
    ...(retry.is_on ? { retry: retryOf(retry) } : {}),
  });
  const errors: FieldErrors = {};
  for (const issue of parsed.error?.issues ?? []) {
    const [first, second] = issue.path;
    // The form has one field for all times, and one for all reasons.
    errors[second === undefined ? String(first) : `${String(first)}.${String(second)}`] ??= wordsOf(issue);
  }
  if (isLater && toOffsetTime(values.scheduled_for) === undefined) errors['scheduled_for'] = 'Choose a date and time';
  Object.assign(errors, timeErrors(parsed.data ?? {}, nowMs));
  return parsed.success && Object.keys(errors).length === 0
    ? { schedule: parsed.data, errors: null }
    : { schedule: null, errors };
}

function retryOf({ max_attempts, on, after_seconds: wait }: ScheduleValues['retry']) {
  return {
    // An empty field is missing, and no text.
    max_attempts: max_attempts === '' ? undefined : max_attempts,
    on: RETRY_REASONS.filter((reason) => on.includes(reason)),
    ...(wait === DEFAULT_WAIT ? {} : { after_seconds: [Number(wait)] }),
  };
}

const DAY_MS = 86_400_000;
const TOO_FAR = `Is more than ${SCHEDULE_LIMITS.maxAheadDays} days ahead`;

/** What the API says of times by its own clock. */
function timeErrors({ scheduled_for: at, expires_at: end }: PlacementSchedule, nowMs: number): FieldErrors {
  const errors: FieldErrors = {};
  const latestMs = nowMs + SCHEDULE_LIMITS.maxAheadDays * DAY_MS;
  const atMs = at === undefined ? null : Date.parse(at);
  if (atMs !== null) {
    if (atMs < nowMs - SCHEDULE_LIMITS.pastToleranceSeconds * 1_000) {
      errors['scheduled_for'] = `Is more than ${SCHEDULE_LIMITS.pastToleranceSeconds} seconds past`;
    } else if (atMs > latestMs) errors['scheduled_for'] = TOO_FAR;
  }
  if (end === undefined) return errors;
  const endMs = Date.parse(end);
  if (atMs !== null && endMs <= atMs) errors['expires_at'] = 'Must be after the date and time of the call';
  else if (endMs <= nowMs) errors['expires_at'] = 'Must be in the future';
  else if (endMs > latestMs) errors['expires_at'] = TOO_FAR;
  return errors;
}
