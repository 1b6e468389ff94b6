import { SCHEDULE_LIMITS, type CreateCallBody, type EndedReason, type InvalidParam } from '@outdial/contracts';
import type { RetryPlan } from '../call.ts';
import type { AskedSchedule } from '../ports/accept-store.ts';
import { invalidRequest, type InvalidRequest } from './authorize-call.ts';

/** What a request says of when to dial. */
export type AskedDial =
  | InvalidRequest
  /** Not before its time, also if that is now. */
  | ({ readonly kind: 'later'; readonly schedule: AskedSchedule } & ClosedHours)
  | ({
      readonly kind: 'at_once';
      /** Null for a call without retries. */
      readonly schedule: AskedSchedule | null;
      /** How to wait for a slot while all are taken; null: not at all. */
      readonly whenFull: AskedSchedule | null;
      /** It is given up when its time is over, also in the queue. */
      readonly queueTtlSeconds: number;
    } & ClosedHours);

/** What to do while the calling hours of the callee are closed. */
interface ClosedHours {
  /** How to wait until they open; null: not at all. */
  readonly whenClosed: AskedSchedule | null;
  /** The request does not say when to give up: a wait for the calling hours makes that later. */
  readonly isOpenEnded: boolean;
}

type ScheduleFields = Pick<CreateCallBody, 'scheduled_for' | 'expires_at' | 'on_capacity' | 'on_closed' | 'retry'>;

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;
const FARTHEST_MS = SCHEDULE_LIMITS.maxAheadDays * DAY_MS;
const TOLERANCE_MS = SCHEDULE_LIMITS.pastToleranceSeconds * SECOND_MS;

const TOO_FAR = `is more than ${SCHEDULE_LIMITS.maxAheadDays} days ahead`;

/** The telephone cannot have been answered: after other reasons a retry needs the client's word. */
const RETRIED_REASONS: readonly EndedReason[] = ['busy', 'no_answer', 'carrier_unavailable'];

/** Unless the request says when to give up. */
const WAIT_MS = { scheduled: DAY_MS, retried: 7 * DAY_MS } as const;

/** Reads when to dial from a request that arrived at `nowMs`. */
export function askSchedule(body: ScheduleFields, nowMs: number, queueTtlSeconds: number): AskedDial {
  const askedMs = millisOf(body.scheduled_for);
  const problem = invalidRequest(problemsOf(body, askedMs, nowMs));
  if (problem) return problem;
  // A time that has just passed counts as now.
  const scheduledForMs = askedMs === null ? null : Math.max(askedMs, nowMs);
  const retry = body.retry === undefined ? null : retryOf(body.retry);
  const giveUpAtMs = millisOf(body.expires_at) ?? (scheduledForMs ?? nowMs) + waitOf(body, queueTtlSeconds);
  const schedule = { scheduledForMs, giveUpAtMs, retry };
  const isOpenEnded = body.expires_at === undefined;
  if (scheduledForMs !== null) {
    return { kind: 'later', schedule, whenClosed: body.on_closed === 'reject' ? null : schedule, isOpenEnded };
  }
  const dueNow = { ...schedule, scheduledForMs: nowMs };
  return {
    kind: 'at_once',
    schedule: retry === null ? null : schedule,
    whenFull: body.on_capacity === 'queue' ? dueNow : null,
    whenClosed: body.on_closed === 'wait' ? dueNow : null,
    isOpenEnded,
    queueTtlSeconds: Math.min(queueTtlSeconds, Math.ceil((giveUpAtMs - nowMs) / SECOND_MS)),
  };
}

function problemsOf(body: ScheduleFields, scheduledForMs: number | null, nowMs: number): readonly InvalidParam[] {
  const problems: InvalidParam[] = [];
  if (scheduledForMs !== null) {
    const message = timeProblem(scheduledForMs, nowMs);
    if (message !== null) problems.push({ param: 'scheduled_for', message });
  }
  const expiresAtMs = millisOf(body.expires_at);
  if (expiresAtMs !== null) {
    const message = expiryProblem(body, expiresAtMs, scheduledForMs, nowMs);
    if (message !== null) problems.push({ param: 'expires_at', message });
  }
  return problems;
}

function timeProblem(scheduledForMs: number, nowMs: number): string | null {
  if (scheduledForMs < nowMs - TOLERANCE_MS) {
    return `is more than ${SCHEDULE_LIMITS.pastToleranceSeconds} seconds past`;
  }
  return scheduledForMs > nowMs + FARTHEST_MS ? TOO_FAR : null;
}

function expiryProblem(
  body: ScheduleFields,
  expiresAtMs: number,
  scheduledForMs: number | null,
  nowMs: number,
): string | null {
  const mayWait = body.retry !== undefined || body.on_capacity === 'queue' || body.on_closed === 'wait';
  if (scheduledForMs === null && !mayWait) return 'needs scheduled_for, retry, on_capacity: queue or on_closed: wait';
  if (scheduledForMs !== null && expiresAtMs <= scheduledForMs) return 'must be after scheduled_for';
  if (expiresAtMs <= nowMs) return 'must be in the future';
  return expiresAtMs > nowMs + FARTHEST_MS ? TOO_FAR : null;
}

function waitOf(body: ScheduleFields, queueTtlSeconds: number): number {
  if (body.retry !== undefined) return WAIT_MS.retried;
  return body.scheduled_for === undefined ? queueTtlSeconds * SECOND_MS : WAIT_MS.scheduled;
}

/** With what the request leaves to the service. */
export function retryOf(retry: NonNullable<ScheduleFields['retry']>): RetryPlan {
  return {
    maxAttempts: retry.max_attempts,
    on: retry.on ?? RETRIED_REASONS,
    afterSeconds: retry.after_seconds ?? SCHEDULE_LIMITS.afterSeconds.default,
  };
}

/** The schema has checked that it is a time with an offset. */
function millisOf(time: string | undefined): number | null {
  return time === undefined ? null : Date.parse(time);
}
