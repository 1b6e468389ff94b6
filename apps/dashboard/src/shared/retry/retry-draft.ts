import {
  ENDED_REASONS,
  endedReasons,
  SCHEDULE_LIMITS,
  type CreateCallBody,
  type EndedReason,
} from '@outdial/contracts';
import { z } from 'zod';

type Retry = NonNullable<CreateCallBody['retry']>;

/** Whether to call again, as a form has it. */
export const retryDraftSchema = z
  .object({
    is_on: z.boolean(),
    max_attempts: z.union([z.number(), z.string()]),
    on: z.array(z.enum(endedReasons)).readonly(),
    /** A value of `WAITS`, or seconds with commas between them. */
    after_seconds: z.string(),
  })
  .readonly();
export type RetryDraft = z.output<typeof retryDraftSchema>;

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
export const WAITS: readonly string[] = [DEFAULT_WAIT, '300', '900', '3600', '14400', '86400'];

export const NO_RETRY: RetryDraft = { is_on: false, max_attempts: 3, on: USUAL_REASONS, after_seconds: DEFAULT_WAIT };

/** As a request has it, without validation. */
export function retryOf({ max_attempts, on, after_seconds: wait }: RetryDraft) {
  return {
    // An empty field is missing, and no text.
    max_attempts: max_attempts === '' ? undefined : max_attempts,
    on: RETRY_REASONS.filter((reason) => on.includes(reason)),
    ...(wait === DEFAULT_WAIT ? {} : { after_seconds: wait.split(',').map(Number) }),
  };
}

/** The inverse. Null: every call is the only one. */
export function retryDraftOf(retry: Retry | null): RetryDraft {
  if (retry === null) return NO_RETRY;
  const waits = (retry.after_seconds ?? SCHEDULE_LIMITS.afterSeconds.default).join(',');
  return {
    is_on: true,
    max_attempts: retry.max_attempts,
    on: retry.on ?? USUAL_REASONS,
    after_seconds: waits === SCHEDULE_LIMITS.afterSeconds.default.join(',') ? DEFAULT_WAIT : waits,
  };
}
