import type { AcceptOutcome, AcceptRow, AcceptStore } from '@outdial/calls';
import type { ReservationId } from '@outdial/contracts';
import { invariant, unreachable, type Clock } from '@outdial/kernel';
import type { Database } from '../database.ts';
import { toStoredConducted } from '../conducted-row.ts';
import { createGroupCommit, type Announcing, type ObserveCommit } from '../group-commit.ts';
import { cappedUntilMs } from '../policies/capped-until.ts';
import { createFindIdempotent } from './find-idempotent.ts';
import { rethrowAsKnown } from './not-carried-out.ts';
import { createScheduledCalls, scheduleOfFirst, toStoredSchedule } from './scheduled-calls.ts';

/** One row per input of `accept_calls`. */
interface AnswerRow {
  readonly reservationId: ReservationId;
  readonly outcome: 'gate_stale' | 'voided' | 'suppressed' | 'frequency_capped' | 'call_exists' | 'accepted';
  readonly createdAtMs: number | null;
  readonly expiresAtMs: number | null;
}

/**
 * Spreads a statement's fixed cost thinly enough. With a larger bound, all clients end up waiting for the same
 * statement, and Postgres and the process alternate instead of working at the same time.
 */
const MAX_ROWS = 32;

export interface AcceptStoreOptions extends Announcing {
  readonly clock: Clock;
  readonly observeCommit?: ObserveCommit | undefined;
}

export function createAcceptStore(
  database: Database,
  { clock, onCommitted, observeCommit }: AcceptStoreOptions,
): AcceptStore {
  const { hot, side } = database;

  async function insert(rows: readonly AcceptRow[]): Promise<readonly AcceptOutcome[]> {
    const batch = JSON.stringify(rows.map(toInput));
    const answers = await hot.$queryRaw<AnswerRow[]>`
      SELECT reservation_id AS "reservationId", outcome,
             epoch_ms(created_at) AS "createdAtMs", epoch_ms(expires_at) AS "expiresAtMs"
      FROM accept_calls(${batch}::json)`;
    const byReservation = new Map(answers.map((answer) => [answer.reservationId, answer]));
    return rows.map((row) => toOutcome(row, byReservation.get(row.reservationId)));
  }

  async function run(rows: readonly AcceptRow[]): Promise<readonly AcceptOutcome[]> {
    // Checked before every try: the row may have passed its deadline while its batch was split.
    const nowMs = clock.monotonicMs();
    const due = rows.filter((row) => row.sendByMs >= nowMs);
    const inserted = due.length === 0 ? [] : await insert(due).catch(rethrowAsKnown);
    const outcomes = new Map(due.map((row, index) => [row, inserted[index]]));
    return rows.map((row) => outcomes.get(row) ?? { kind: 'expired' });
  }

  const commits = createGroupCommit({
    run,
    keyOf: (row: AcceptRow) => row.callId,
    maxRows: MAX_ROWS,
    isChange: ({ kind }) => kind === 'accepted',
    onCommitted,
    observe: observeCommit && ((callIds) => observeCommit('accept_calls', callIds)),
  });

  return {
    ...createScheduledCalls(database, { clock, onCommitted, observeCommit }),
    accept: (row) => commits.submit(row),
    cappedUntilMs: (accountId, number) => cappedUntilMs(database, accountId, number),
    async voidReservation(reservationId) {
      // Not on the hot pool: all its connections may be waiting for the statement whose outcome is in question.
      const [row] = await side.$queryRaw<{ state: 'used' | 'void' }[]>`
        SELECT void_reservation(${reservationId}::uuid)::text AS state`;
      return row?.state === 'used' ? 'used' : 'voided';
    },
    findIdempotent: createFindIdempotent(database, { clock }),
  };
}

function toInput(row: AcceptRow) {
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
    reservation_id: row.reservationId,
    hold_micros: Number(row.holdMicros),
    generation: row.token.generation,
    timeline: row.token.walTimeline,
    max_duration_seconds: row.limits.maxDurationSeconds,
    ring_timeout_seconds: row.limits.ringTimeoutSeconds,
    variables: row.variables,
    metadata: row.metadata,
    idempotency_key: row.idempotency?.key ?? null,
    body_digest: row.idempotency?.bodyDigest ?? null,
    request_id: row.requestId,
    trace_parent: row.traceParent,
    queue_ttl_seconds: row.queueTtlSeconds,
    // A field without a value is left out: the batch of scripted calls stays as short as it was.
    conducted: row.conducted === null ? undefined : toStoredConducted(row.conducted),
    webhook_url: row.webhookUrl ?? undefined,
    schedule: row.schedule === null ? undefined : toStoredSchedule(row.schedule),
    callee_zones: row.place.zones,
    callee_regions: row.place.regions,
    callee_time_zone: row.place.givenZone ?? undefined,
  };
}

function toOutcome(row: AcceptRow, answer: AnswerRow | undefined): AcceptOutcome {
  invariant(answer, 'accept_calls returns every row');
  switch (answer.outcome) {
    case 'gate_stale':
    case 'voided':
    case 'suppressed':
    case 'frequency_capped':
    case 'call_exists':
      return { kind: answer.outcome };
    case 'accepted': {
      invariant(answer.createdAtMs !== null && answer.expiresAtMs !== null, 'an accepted call has its times');
      return {
        kind: 'accepted',
        call: {
          id: row.callId,
          accountId: row.accountId,
          agentId: row.agentId,
          agentVersion: row.agentVersion,
          callerNumber: row.callerNumber,
          calleeNumber: row.calleeNumber,
          currency: row.currency,
          rate: row.rate,
          holdMicros: row.holdMicros,
          limits: row.limits,
          conducted: row.conducted,
          usage: [],
          schedule: row.schedule && scheduleOfFirst(row.schedule),
          variables: row.variables,
          metadata: row.metadata,
          reviewNote: null,
          webhookUrl: row.webhookUrl,
          createdAtMs: answer.createdAtMs,
          status: 'queued',
          expiresAtMs: answer.expiresAtMs,
        },
      };
    }
    default:
      return unreachable(answer.outcome);
  }
}
