import { createCallSchema, SCHEDULE_LIMITS, type CreateCallBody } from '@outdial/contracts';
import { z } from 'zod';
import { toOffsetTime } from '../../../shared/format/zone.ts';
import { wordsOf, type FieldErrors } from '../../../shared/forms/field-errors.ts';
import { NO_RETRY, retryDraftSchema, retryOf } from '../../../shared/retry/retry-draft.ts';

/** When to call and whether to try again, as the form has it. Times are local, without a zone. */
export const scheduleValuesSchema = z.object({
  when: z.enum(['now', 'later']),
  scheduled_for: z.string(),
  expires_at: z.string(),
  /** Of a call that is to be dialed now: wait while all slots are taken. */
  waits_for_slot: z.boolean(),
  /** Of such a call: wait while the callee's calling hours are closed. A later call waits in any case. */
  waits_for_hours: z.boolean(),
  retry: retryDraftSchema,
});
export type ScheduleValues = Readonly<z.output<typeof scheduleValuesSchema>>;

/** The part of the request about when to call. */
export type PlacementSchedule = Pick<
  CreateCallBody,
  'scheduled_for' | 'expires_at' | 'on_capacity' | 'on_closed' | 'retry'
>;

export const NO_SCHEDULE: ScheduleValues = {
  when: 'now',
  scheduled_for: '',
  expires_at: '',
  waits_for_slot: false,
  waits_for_hours: false,
  retry: NO_RETRY,
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
