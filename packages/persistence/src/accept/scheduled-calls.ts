import type {
  AcceptStore,
  AskedSchedule,
  CallSchedule,
  ScheduledCall,
  ScheduleOutcome,
  ScheduleRow,
} from '@outdial/calls';
import { micros, type ReservationId } from '@outdial/contracts';
import { invariant, unreachable, type Clock } from '@outdial/kernel';
import type { Database } from '../database.ts';
import { createGroupCommit, type CommitHook, type ObserveCommit } from '../group-commit.ts';
import { toStoredRetry } from '../schedule-column.ts';
import { rethrowAsKnown } from './not-carried-out.ts';

/** One row per input of `schedule_calls`. */
interface AnswerRow {
  readonly arbiterId: ReservationId;
  readonly outcome: 'voided' | 'suppressed' | 'call_exists' | 'scheduled';
  readonly createdAtMs: number | null;
}

/** As that of accepted calls. */
const MAX_ROWS = 32;

export interface ScheduledCallsOptions {
  readonly clock: Clock;
  readonly onCommitted: CommitHook | undefined;
  readonly observeCommit: ObserveCommit | undefined;
}

/** Stores calls that are dialed later. */
export function createScheduledCalls(
  database: Database,
  { clock, onCommitted, observeCommit }: ScheduledCallsOptions,
): Pick<AcceptStore, 'schedule' | 'countScheduled'> {
  const { hot, side } = database;

  async function insert(rows: readonly ScheduleRow[]): Promise<readonly ScheduleOutcome[]> {
    const batch = JSON.stringify(rows.map(toInput));
    const answers = await hot.$queryRaw<AnswerRow[]>`
      SELECT arbiter_id AS "arbiterId", outcome, epoch_ms(created_at) AS "createdAtMs" FROM schedule_calls(${batch}::json)`;
    const byArbiter = new Map(answers.map((answer) => [answer.arbiterId, answer]));
    return rows.map((row) => toOutcome(row, byArbiter.get(row.arbiterId)));
  }

  async function run(rows: readonly ScheduleRow[]): Promise<readonly ScheduleOutcome[]> {
    const nowMs = clock.monotonicMs();
    const due = rows.filter((row) => row.sendByMs >= nowMs);
    const inserted = due.length === 0 ? [] : await insert(due).catch(rethrowAsKnown);
    const outcomes = new Map(due.map((row, index) => [row, inserted[index]]));
    return rows.map((row) => outcomes.get(row) ?? { kind: 'expired' });
  }

  const commits = createGroupCommit({
    run,
    keyOf: (row: ScheduleRow) => row.callId,
    maxRows: MAX_ROWS,
    splitsOnLockTimeout: true,
    isChange: ({ kind }) => kind === 'scheduled',
    onCommitted,
    observe: observeCommit && ((callIds) => observeCommit('schedule_calls', callIds)),
  });

  return {
    schedule: (row) => commits.submit(row),
    async countScheduled(accountId, limit) {
      const [row] = await side.$queryRaw<{ calls: number }[]>`
        SELECT count(*)::int AS calls FROM (
          SELECT FROM call_schedules s
          WHERE s.account_id = ${accountId}::uuid AND COALESCE(s.campaign_id, s.account_id) = ${accountId}::uuid AND s.is_waiting
          LIMIT ${limit}::int) x`;
      return row?.calls ?? 0;
    },
  };
}

export function toStoredSchedule({ giveUpAtMs, retry }: AskedSchedule) {
  return { give_up_at_ms: Math.round(giveUpAtMs), retry: retry && toStoredRetry(retry) };
}

/** The schedule of the first call of a request. */
export function scheduleOfFirst({ scheduledForMs, giveUpAtMs, retry }: AskedSchedule): CallSchedule {
  return { scheduledForMs, giveUpAtMs, retry, attempt: 1, retryOf: null, nextCallId: null, campaignId: null };
}

function toInput(row: ScheduleRow) {
  const { scheduledForMs } = row.schedule;
  invariant(scheduledForMs !== null, 'a call that is dialed later has its time');
  return {
    id: row.callId,
    account_id: row.accountId,
    agent_id: row.agentId,
    agent_version: row.agentVersion,
    caller_number: row.callerNumber,
    callee_number: row.calleeNumber,
    currency: row.currency,
    rate_prefix: row.rate.prefix,
    connection_fee_micros: Number(row.rate.connectionFeeMicros),
    price_per_minute_micros: Number(row.rate.pricePerMinuteMicros),
    initial_increment_seconds: row.rate.initialIncrementSeconds,
    increment_seconds: row.rate.incrementSeconds,
    arbiter_id: row.arbiterId,
    max_duration_seconds: row.limits.maxDurationSeconds,
    ring_timeout_seconds: row.limits.ringTimeoutSeconds,
    variables: row.variables,
    metadata: row.metadata,
    idempotency_key: row.idempotency?.key ?? null,
    body_digest: row.idempotency?.bodyDigest ?? null,
    request_id: row.requestId,
    trace_parent: row.traceParent,
    queue_ttl_seconds: row.queueTtlSeconds,
    webhook_url: row.webhookUrl ?? undefined,
    scheduled_for_ms: Math.round(scheduledForMs),
    waiting_for: row.waitingFor,
    due_at_ms: Math.round(row.dueAtMs),
    callee_zones: row.place.zones,
    callee_regions: row.place.regions,
    callee_time_zone: row.place.givenZone ?? undefined,
    ...toStoredSchedule(row.schedule),
  };
}

function toOutcome(row: ScheduleRow, answer: AnswerRow | undefined): ScheduleOutcome {
  invariant(answer, 'schedule_calls returns every row');
  switch (answer.outcome) {
    case 'voided':
    case 'suppressed':
    case 'call_exists':
      return { kind: answer.outcome };
    case 'scheduled':
      invariant(answer.createdAtMs !== null, 'a scheduled call has its time');
      return { kind: 'scheduled', call: toScheduledCall(row, answer.createdAtMs) };
    default:
      return unreachable(answer.outcome);
  }
}

function toScheduledCall(row: ScheduleRow, createdAtMs: number): ScheduledCall {
  return {
    id: row.callId,
    accountId: row.accountId,
    agentId: row.agentId,
    agentVersion: row.agentVersion,
    callerNumber: row.callerNumber,
    calleeNumber: row.calleeNumber,
    currency: row.currency,
    rate: row.rate,
    holdMicros: micros(0),
    limits: row.limits,
    conducted: null,
    usage: [],
    variables: row.variables,
    metadata: row.metadata,
    reviewNote: null,
    webhookUrl: row.webhookUrl,
    createdAtMs,
    status: 'scheduled',
    schedule: scheduleOfFirst(row.schedule),
    // A reader says the same: once its time has come, a call does not wait for it any more.
    waitingFor: row.waitingFor === 'time' && (row.schedule.scheduledForMs ?? 0) <= createdAtMs ? null : row.waitingFor,
  };
}
