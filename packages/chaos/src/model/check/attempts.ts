import type { Promises } from './promises.ts';
import type { CallView, RetryView, ScheduleView } from './postgres-view.ts';

/**
 * The attempts of a request are 1, 2, … without a gap: each begins after the one before has ended for a reason that is
 * retried, and none is missing.
 */
export function checkAttempts(calls: readonly CallView[], promises: Pick<Promises, 'violate'>): void {
  const byId = new Map(calls.map((call) => [call.id, call]));
  const retryOf = new Map<string, CallView>();
  for (const call of calls) {
    const { id, schedule } = call;
    if (!schedule?.retryOf) continue;
    const other = retryOf.get(schedule.retryOf);
    if (other) promises.violate('a call is retried by one call', `${schedule.retryOf}: by ${other.id} and ${id}`);
    retryOf.set(schedule.retryOf, call);
    const fault = faultOfRetry(call, byId.get(schedule.retryOf));
    if (fault !== null) promises.violate('a call is retried as was asked', `${id}: ${fault}`);
  }
  for (const call of calls) {
    const { attempt, retryOf: before } = call.schedule ?? { attempt: 1, retryOf: null };
    if ((attempt === 1) !== (before === null))
      promises.violate('attempts have no gap', `${call.id} is number ${attempt}`);
    // Whether a campaign was over when its call ended is known at the statement alone: see `CampaignWatch`.
    const isOfCampaign = call.schedule !== null && call.schedule.campaign !== null;
    if (!isOfCampaign && nextAttemptMs(call) !== null && !retryOf.has(call.id))
      promises.violate('no retry is lost', call.id);
  }
}

function faultOfRetry({ schedule }: CallView, before: CallView | undefined): string | null {
  if (!before?.schedule) return 'of no call';
  if (schedule?.attempt !== before.schedule.attempt + 1)
    return `number ${schedule?.attempt} follows ${before.schedule.attempt}`;
  const isGivenBack = schedule.givenBack > before.schedule.givenBack;
  const dueMs = isGivenBack ? givenBackMs(before) : nextAttemptMs(before);
  if (dueMs === null) return `the call before ended ${before.reason}${before.endRequested ? ' as was requested' : ''}`;
  if (schedule.forMs !== dueMs) return `it is due at ${schedule.forMs} instead of ${dueMs}`;
  // A campaign's end may have been moved since.
  return schedule.campaign !== null || schedule.giveUpMs === before.schedule.giveUpMs
    ? null
    : 'it is given up at another time';
}

type Attempt = Pick<CallView, 'endedMs' | 'endRequested' | 'reason'> & {
  readonly schedule: Pick<ScheduleView, 'retry' | 'attempt' | 'givenBack' | 'giveUpMs'> | null;
};

/** After closed hours. */
const GIVEN_BACK_AFTER_MS = 60_000;

/** When the next call to a contact is due whose call was withdrawn before it was dialed; null: it was not. */
export function givenBackMs({
  endedMs,
  endRequested,
  reason,
}: Pick<CallView, 'endedMs' | 'endRequested' | 'reason'>): number | null {
  if (endedMs === null || endRequested) return null;
  if (reason === 'outside_calling_window') return endedMs + GIVEN_BACK_AFTER_MS;
  return reason === 'cancelled' ? endedMs : null;
}

/** When the call after this one is due; null: none follows. */
export function nextAttemptMs({ schedule, endedMs, endRequested, reason }: Attempt): number | null {
  if (!schedule?.retry || endedMs === null || endRequested || reason === null) return null;
  const { retry, giveUpMs } = schedule;
  const attempt = schedule.attempt - schedule.givenBack;
  if (attempt >= retry.max_attempts || !retry.on.includes(reason)) return null;
  const dueMs = endedMs + delayMs(retry, attempt);
  return dueMs < giveUpMs ? dueMs : null;
}

function delayMs({ after_seconds: delays }: RetryView, attempt: number): number {
  return (delays[Math.min(attempt, delays.length) - 1] ?? 0) * 1_000;
}
