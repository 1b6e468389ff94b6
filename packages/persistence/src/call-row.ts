import type { Call, CallFacts, SipDetails } from '@outdial/calls';
import {
  isCallFailureCode,
  micros,
  type AnsweredBy,
  type CallFailure,
  type CallStatus,
  type EndedReason,
  type RecordingStatus,
  type Turn,
} from '@outdial/contracts';
import { invariant, unreachable } from '@outdial/kernel';
import {
  CONDUCTED_COLUMN,
  CONDUCTED_COLUMN_WITH_ANALYSIS,
  toAnalysis,
  toConducted,
  type ConductedRow,
} from './conducted-row.ts';
import { Prisma } from './generated/client.ts';
import { SCHEDULE_COLUMN, toSchedule, type ScheduleColumn } from './schedule-column.ts';
import { sqlReason } from './sql/call-states.ts';
import { toLegs } from './legs-column.ts';

const factColumns = (conducted: Prisma.Sql) => Prisma.sql`
  c.id, c.account_id AS "accountId", c.agent_id AS "agentId", c.agent_version AS "agentVersion",
  c.caller_number AS "callerNumber", c.callee_number AS "calleeNumber", c.currency,
  c.rate_prefix AS "ratePrefix", c.connection_fee_micros AS "connectionFeeMicros",
  c.price_per_minute_micros AS "pricePerMinuteMicros", c.initial_increment_seconds AS "initialIncrementSeconds",
  c.increment_seconds AS "incrementSeconds", c.hold_micros AS "holdMicros",
  c.max_duration_seconds AS "maxDurationSeconds", c.ring_timeout_seconds AS "ringTimeoutSeconds",
  c.review_note AS "reviewNote", c.webhook_url AS "webhookUrl", epoch_ms(c.created_at) AS "createdAtMs",
  ${conducted}`;

const FACT_COLUMNS_WITHOUT_GIVEN = factColumns(CONDUCTED_COLUMN);

/** Columns of a call `c` that never change, and the usage of its models. */
export const FACT_COLUMNS = Prisma.sql`${FACT_COLUMNS_WITHOUT_GIVEN}, c.variables, c.metadata`;

const STATE_COLUMNS = Prisma.sql`
  c.status, epoch_ms(c.expires_at) AS "expiresAtMs", epoch_ms(c.started_at) AS "startedAtMs",
  epoch_ms(c.answered_at) AS "answeredAtMs", epoch_ms(c.ended_at) AS "endedAtMs", c.ended_reason AS "endedReason",
  c.answered_by AS "answeredBy", c.sip_code AS "sipCode", c.billable_seconds AS "billableSeconds",
  c.cost_micros AS "costMicros", c.summary,
  CASE WHEN c.ended_reason = ${sqlReason('agent_error')} THEN (
    SELECT json_build_object('code', f.code, 'field', f.field) FROM call_failures f WHERE f.call_id = c.id
  ) END AS failure,
  CASE WHEN c.recording_pending THEN 'pending' WHEN c.recording_key IS NULL THEN 'none' ELSE 'available' END
    AS "recordingStatus",
  (SELECT jsonb_build_object('code', s.code, 'reasonPhrase', s.reason_phrase, 'warning', s.warning,
     'q850Cause', s.q850_cause, 'q850Text', s.q850_text)
   FROM call_sip_details s WHERE s.call_id = c.id) AS sip, ${SCHEDULE_COLUMN}`;

/** A `Call` for lists and exports: transcripts are long and stored out of line. */
export const CALL_COLUMNS_WITHOUT_TRANSCRIPT = Prisma.sql`${FACT_COLUMNS}, ${STATE_COLUMNS}, NULL AS transcript`;

/** A `Call` without its large parts: no transcript, empty variables and metadata. */
export const CALL_SUMMARY_COLUMNS = Prisma.sql`${FACT_COLUMNS_WITHOUT_GIVEN}, ${STATE_COLUMNS},
  '{}'::jsonb AS variables, '{}'::jsonb AS metadata, NULL AS transcript`;

/** All columns of a `Call`, with `conducted` from elsewhere. */
export const callColumns = (conducted: Prisma.Sql) => Prisma.sql`${factColumns(conducted)}, c.variables, c.metadata,
  ${STATE_COLUMNS}, c.transcript`;

/** All columns of a `Call`. */
export const CALL_COLUMNS = callColumns(CONDUCTED_COLUMN_WITH_ANALYSIS);

export interface FactRow extends Omit<CallFacts, 'rate' | 'holdMicros' | 'limits' | 'conducted'> {
  readonly ratePrefix: string;
  readonly connectionFeeMicros: bigint;
  readonly pricePerMinuteMicros: bigint;
  readonly initialIncrementSeconds: number;
  readonly incrementSeconds: number;
  readonly holdMicros: bigint;
  readonly maxDurationSeconds: number;
  readonly ringTimeoutSeconds: number;
  readonly conducted: ConductedRow | null;
}

export interface CallRow extends FactRow {
  readonly status: CallStatus;
  readonly expiresAtMs: number;
  readonly startedAtMs: number | null;
  readonly answeredAtMs: number | null;
  readonly endedAtMs: number | null;
  readonly endedReason: EndedReason | null;
  readonly failure: { readonly code: string; readonly field: string | null } | null;
  readonly answeredBy: AnsweredBy | null;
  readonly sipCode: number | null;
  readonly billableSeconds: number;
  readonly costMicros: bigint;
  readonly transcript: readonly Turn[] | null;
  readonly summary: string | null;
  readonly recordingStatus: RecordingStatus;
  readonly sip: SipDetails | null;
  readonly schedule: ScheduleColumn | null;
}

export function toFacts(row: FactRow): CallFacts {
  return {
    id: row.id,
    accountId: row.accountId,
    agentId: row.agentId,
    agentVersion: row.agentVersion,
    callerNumber: row.callerNumber,
    calleeNumber: row.calleeNumber,
    currency: row.currency,
    rate: {
      prefix: row.ratePrefix,
      connectionFeeMicros: micros(row.connectionFeeMicros),
      pricePerMinuteMicros: micros(row.pricePerMinuteMicros),
      initialIncrementSeconds: row.initialIncrementSeconds,
      incrementSeconds: row.incrementSeconds,
    },
    holdMicros: micros(row.holdMicros),
    limits: { maxDurationSeconds: row.maxDurationSeconds, ringTimeoutSeconds: row.ringTimeoutSeconds },
    conducted: toConducted(row.conducted),
    variables: row.variables,
    metadata: row.metadata,
    reviewNote: row.reviewNote,
    webhookUrl: row.webhookUrl,
    createdAtMs: row.createdAtMs,
  };
}

/** A later version, which runs next to this one during an upgrade, may know more kinds of failure. */
function toFailure({ code, field }: NonNullable<CallRow['failure']>): CallFailure {
  return { code: isCallFailureCode(code) ? code : 'agent_failed', field };
}

/** A column that the schema's CHECKs require in this state. */
function filled<Value>(value: Value | null, column: string): Value {
  invariant(value !== null, `${column} is filled in this state`);
  return value;
}

export function toCall(row: CallRow): Call {
  const schedule = toSchedule(row.schedule);
  const legs = row.conducted?.legs ? { legs: toLegs(row.conducted.legs) } : {};
  const facts = { ...toFacts(row), usage: row.conducted?.usage ?? [], schedule, ...legs };
  switch (row.status) {
    case 'scheduled':
      return {
        ...facts,
        status: row.status,
        schedule: filled(schedule, 'call_schedules'),
        waitingFor: row.schedule?.waiting_for ?? null,
      };
    case 'queued':
      return {
        ...facts,
        status: row.status,
        expiresAtMs: row.expiresAtMs,
      };
    case 'dialing':
    case 'ringing':
      return { ...facts, status: row.status, startedAtMs: filled(row.startedAtMs, 'started_at') };
    case 'in_progress':
      return {
        ...facts,
        status: row.status,
        startedAtMs: filled(row.startedAtMs, 'started_at'),
        answeredAtMs: filled(row.answeredAtMs, 'answered_at'),
        answeredBy: row.answeredBy,
        sipCode: row.sipCode,
      };
    case 'ended':
      return {
        ...facts,
        status: row.status,
        startedAtMs: filled(row.startedAtMs, 'started_at'),
        answeredAtMs: row.answeredAtMs,
        endedAtMs: filled(row.endedAtMs, 'ended_at'),
        endedReason: filled(row.endedReason, 'ended_reason'),
        failure: row.failure === null ? null : toFailure(row.failure),
        answeredBy: row.answeredBy,
        sipCode: row.sipCode,
        sip: row.sip,
        billableSeconds: row.billableSeconds,
        costMicros: micros(row.costMicros),
        transcript: row.transcript,
        summary: row.summary,
        recordingStatus: row.recordingStatus,
        analysisStatus: row.conducted?.analysis_status ?? 'none',
        analysis: row.conducted && toAnalysis(row.conducted),
        turnMetrics: row.conducted?.turn_metrics ?? [],
      };
    default:
      return unreachable(row.status);
  }
}
