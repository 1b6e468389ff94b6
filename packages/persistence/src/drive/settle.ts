import type { LegSettlement, ReleaseInput, Settlement } from '@outdial/calls';
import { micros, type AccountId, type CallId, type EndedReason, type ReservationId } from '@outdial/contracts';
import type { Database } from '../database.ts';
import { Prisma } from '../generated/client.ts';
import { sqlStatusAfter, sqlStatusesIn } from '../sql/call-states.ts';
import { storableJson } from '../sql/storable-json.ts';
import { CAMPAIGN_COUNTS, CONTACT_OUTCOMES, SUCCESSORS, SUCCESSORS_DUE } from './successors.ts';
import { settleModels, usageInput } from './keep-usage.ts';
import { STORE_OPT_OUTS, toStoredOptOut } from './opt-outs.ts';

/** A settlement by a call's driver, or the end of an unclaimed call. */
export type SettleInput =
  | { readonly claimed: true; readonly settlement: Settlement }
  | { readonly claimed: false; readonly callId: CallId; readonly reason: EndedReason; readonly givesBack?: boolean };

export function callIdOf(input: SettleInput): CallId {
  return input.claimed ? input.settlement.callId : input.callId;
}

/**
 * Ends the calls of `due`, charges them, schedules their retries, pays from the wallets, and counts them for campaigns. `due.details` is added to the
 * event of the end. `due.gives_back`: the campaign of the call calls its contact again. In every statement, wallets are locked in account order after calls in id order, and opt-outs are added
 * after both, so that two statements with common rows cannot deadlock. Only a wallet that pays is updated.
 */
export const SETTLE_DUE = Prisma.sql`
    ended AS (
      UPDATE calls c SET
        status = ${sqlStatusAfter('finished')}, ended_reason = d.reason, started_at = d.started_at, answered_at = d.answered_at,
        ended_at = d.ended_at, settled_at = clock_timestamp(), cost_micros = d.cost_micros,
        billable_seconds = d.billable_seconds, sip_code = COALESCE(d.sip_code, c.sip_code), transcript = d.transcript, summary = d.summary,
        answered_by = COALESCE(d.answered_by, c.answered_by), recording_key = d.recording_key,
        -- The cost has what its second legs cost: they were held for apart from the call.
        recording_pending = d.recording_pending, hold_micros = c.hold_micros + d.legs_hold_micros
      FROM due d WHERE c.id = d.id
      RETURNING c.id, c.account_id, c.campaign_id, c.cost_micros, c.answered_at, c.ended_at, c.ended_reason, c.sip_code,
        c.end_requested_at IS NOT NULL AS is_requested, d.gives_back, c.recording_key IS NOT NULL AND NOT c.recording_pending AS has_recording
    ), ${SUCCESSORS}, entries AS (
      INSERT INTO ledger_entries (account_id, call_id, kind, amount_micros)
      SELECT e.account_id, e.id, 'call_charge', -e.cost_micros FROM ended e ORDER BY e.id
    ), timeline AS (
      INSERT INTO call_events (call_id, at, type, data)
      SELECT e.id, x.at, x.type, x.data FROM ended e JOIN due d ON d.id = e.id LEFT JOIN next_attempts n ON n.retry_of = e.id, LATERAL (
        VALUES (1, e.answered_at, ${sqlStatusAfter('answered')}, '{}'::jsonb, d.answer_is_new),
          (2, e.ended_at, ${sqlStatusAfter('finished')},
            jsonb_strip_nulls(jsonb_build_object('ended_reason', e.ended_reason, 'sip_code', e.sip_code,
              'analysis_status', CASE WHEN d.wants_analysis THEN 'pending' END, 'next_call_id', n.id,
              'next_attempt_at', iso_ms(n.scheduled_for))) || COALESCE(d.details, '{}'), true),
          (3, e.ended_at, 'recording_available', '{}'::jsonb, e.has_recording)
      ) AS x(place, at, type, data, happened)
      WHERE x.happened ORDER BY e.id, x.place
    ), debits AS (
      SELECT e.account_id, sum(e.cost_micros)::bigint AS micros FROM ended e GROUP BY e.account_id
    ), payers AS MATERIALIZED (
      SELECT w.account_id FROM wallets w JOIN debits d ON d.account_id = w.account_id
      WHERE d.micros > 0 ORDER BY w.account_id FOR NO KEY UPDATE OF w
    ), paid AS (
      UPDATE wallets w SET balance_micros = w.balance_micros - d.micros, version = w.version + 1
      FROM debits d JOIN payers p ON p.account_id = d.account_id WHERE w.account_id = d.account_id
      RETURNING w.account_id, w.balance_micros, w.version
    ), ${CAMPAIGN_COUNTS}, ${CONTACT_OUTCOMES}, ${SUCCESSORS_DUE}`;

/** Of `due`: the columns of a call `t` that no worker dialed and that ends at `t.now`, but for its id, reason and details. */
export const DUE_UNDIALED = Prisma.sql`
        t.now AS ended_at, t.now AS started_at, NULL::timestamptz AS answered_at, false AS answer_is_new, 0::bigint AS cost_micros,
        0 AS billable_seconds, NULL::int AS sip_code, NULL::answered_by AS answered_by, NULL::jsonb AS transcript,
        NULL::text AS summary, NULL::text AS recording_key, false AS recording_pending, false AS wants_analysis,
        false AS gives_back, 0::bigint AS legs_hold_micros`;

/** The fields that a release needs of a settled call. */
export interface SettledRow {
  readonly callId: CallId;
  readonly accountId: AccountId;
  readonly reservationId: ReservationId;
  readonly balanceMicros: bigint;
  readonly balanceVersion: bigint;
}

interface SettledWithLegsRow extends SettledRow {
  /** All its second legs; null without any. */
  readonly legs: readonly { readonly id: CallId; readonly reservationId: ReservationId }[] | null;
}

/** What the gate releases once a call is settled: its own hold, and those of its second legs. */
export interface SettledReleases {
  readonly release: ReleaseInput;
  readonly legs: readonly ReleaseInput[];
}

function toReleases(row: SettledWithLegsRow): SettledReleases {
  const release = toRelease(row);
  const legs = row.legs ?? [];
  return { release, legs: legs.map(({ id: callId, reservationId }) => ({ ...release, callId, reservationId })) };
}

export function toRelease(row: SettledRow): ReleaseInput {
  return {
    callId: row.callId,
    accountId: row.accountId,
    reservationId: row.reservationId,
    balance: { balanceMicros: micros(row.balanceMicros), balanceVersion: Number(row.balanceVersion) },
  };
}

function toInput(input: SettleInput, uploadsRecordings: boolean) {
  if (!input.claimed)
    return { id: input.callId, reason: input.reason, never_dialled: true, gives_back: input.givesBack ?? false };
  const { settlement } = input;
  return {
    id: settlement.callId,
    epoch: settlement.epoch,
    reason: settlement.reason,
    never_dialled: settlement.neverDialled,
    gives_back: settlement.givesBack ?? false,
    answered_at_ms: settlement.answeredAtMs === null ? null : Math.round(settlement.answeredAtMs),
    ended_at_ms: Math.round(settlement.endedAtMs),
    billable_seconds: settlement.charge.billableSeconds,
    cost_micros: Number(settlement.charge.costMicros),
    sip_code: settlement.sipCode,
    answered_by: settlement.answeredBy,
    transcript: settlement.transcript,
    summary: settlement.summary,
    recording_key: settlement.recordingKey,
    recording_pending: settlement.recordingKey !== null && uploadsRecordings,
    ...(settlement.sip ? { sip: settlement.sip } : {}),
    failure_code: settlement.failure?.code ?? null,
    failure_field: settlement.failure?.field ?? null,
    ...usageInput(settlement.usage),
    turn_metrics: settlement.turnMetrics,
    ...(settlement.optOut && { opt_out: toStoredOptOut(settlement.optOut) }),
    wants_analysis: settlement.wantsAnalysis ?? false,
    legs: settlement.legs?.map(toLegInput),
  };
}

function toLegInput({ legId, answeredAtMs, endedAtMs, result, sipCode, charge }: LegSettlement) {
  return {
    id: legId,
    answered_at_ms: answeredAtMs === null ? null : Math.round(answeredAtMs),
    ended_at_ms: Math.round(endedAtMs),
    outcome: result,
    sip_code: sipCode,
    billable_seconds: charge.billableSeconds,
    cost_micros: Number(charge.costMicros),
  };
}

const optsOut = (input: SettleInput) => input.claimed && input.settlement.optOut !== undefined;

/** For calls whose own write of the opt-out may have been lost. The count has the wallets paid first: see `STORE_OPT_OUTS`. */
const OPT_OUTS = Prisma.sql`, opting AS MATERIALIZED (
      SELECT e.id, e.account_id, l.callee_number, i.opt_out, e.ended_at AS at
      FROM ended e JOIN input i ON i.id = e.id JOIN locked l ON l.id = e.id
      WHERE i.opt_out IS NOT NULL AND (SELECT count(*) FROM paid) >= 0
    ), ${STORE_OPT_OUTS}`;

/** Whether `model_calls` may change with the end of this call. */
const concernsModels = (input: SettleInput) =>
  input.claimed &&
  (input.settlement.usage !== undefined ||
    input.settlement.turnMetrics !== undefined ||
    input.settlement.wantsAnalysis === true);

/**
 * Ends and charges calls, each at most once: fenced by the driver's epoch, or while the call is unclaimed. Returns null
 * for another driver's call. A call that was settled with this epoch before returns its release again.
 *
 * All second legs of a call are settled with it: one that the driver does not name was never dialed.
 */
export async function settleCalls(
  { hot }: Database,
  inputs: readonly SettleInput[],
  { uploadsRecordings }: { readonly uploadsRecordings: boolean },
): Promise<readonly (SettledReleases | null)[]> {
  const batch = storableJson(inputs.map((input) => toInput(input, uploadsRecordings)));
  const rows = await hot.$queryRaw<SettledWithLegsRow[]>`
    WITH input AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset(${batch}::jsonb) AS r(
        id uuid, epoch int, reason ended_reason, never_dialled boolean, gives_back boolean, answered_at_ms bigint, ended_at_ms bigint,
        billable_seconds int, cost_micros bigint, sip_code int, answered_by answered_by, transcript jsonb,
        summary text, recording_key text, recording_pending boolean, sip jsonb,
        failure_code text, failure_field text, usage jsonb, usage_cost_micros bigint, wants_analysis boolean,
        turn_metrics jsonb, opt_out jsonb, legs jsonb)
    ), locked AS MATERIALIZED (
      SELECT c.id, c.account_id, c.callee_number, c.reservation_id, c.created_at, c.started_at, c.answered_at, c.hold_micros,
             c.settled_at IS NULL AS is_open
      FROM input i JOIN calls c ON c.id = i.id
      WHERE CASE WHEN i.epoch IS NULL THEN c.status IN ${sqlStatusesIn('waiting')}
                 ELSE c.epoch = i.epoch AND c.status NOT IN ${sqlStatusesIn('waiting')} END
      ORDER BY c.id FOR NO KEY UPDATE OF c
    ), answered AS MATERIALIZED (
      SELECT l.*, l.answered_at IS NULL AND i.answered_at_ms IS NOT NULL AS answer_is_new,
        -- GREATEST skips nulls: without the CASE an unanswered call would become an answered one.
        CASE WHEN i.answered_at_ms IS NULL OR l.answered_at IS NOT NULL THEN l.answered_at
             ELSE GREATEST(from_epoch_ms(i.answered_at_ms), l.started_at) END AS picked_up_at
      FROM locked l JOIN input i ON i.id = l.id WHERE l.is_open
    ), finished AS MATERIALIZED (
      SELECT a.*, GREATEST(COALESCE(from_epoch_ms(i.ended_at_ms), clock_timestamp()), a.picked_up_at, a.started_at,
                           a.created_at + interval '1 millisecond') AS ended_at
      FROM answered a JOIN input i ON i.id = a.id
    ), open_legs AS MATERIALIZED (
      SELECT t.id, t.call_id, t.hold_micros, a.answered_at, g.outcome, g.sip_code, COALESCE(g.billable_seconds, 0) AS billable_seconds,
        CASE WHEN a.answered_at IS NULL THEN 0 ELSE LEAST(COALESCE(g.cost_micros, 0), t.hold_micros) END AS cost_micros,
        -- A lost worker is billed less than it has stored.
        GREATEST(COALESCE(from_epoch_ms(g.ended_at_ms), t.ended_at, f.ended_at), t.begun_at, a.answered_at) AS ended_at
      FROM finished f JOIN input i ON i.id = f.id JOIN transfer_legs t ON t.call_id = f.id AND t.settled_at IS NULL
        LEFT JOIN LATERAL jsonb_to_recordset(i.legs) AS g(id uuid, answered_at_ms bigint, ended_at_ms bigint, outcome text,
          sip_code int, billable_seconds int, cost_micros bigint) ON g.id = t.id,
        LATERAL (SELECT COALESCE(t.answered_at, CASE WHEN g.answered_at_ms IS NOT NULL
          THEN GREATEST(from_epoch_ms(g.answered_at_ms), t.begun_at) END) AS answered_at) a
    ), leg_sums AS MATERIALIZED (
      SELECT o.call_id, sum(o.cost_micros)::bigint AS cost_micros, sum(o.hold_micros)::bigint AS hold_micros
      FROM open_legs o GROUP BY o.call_id
    ), settled_legs AS (
      UPDATE transfer_legs t SET answered_at = o.answered_at, ended_at = o.ended_at,
        outcome = COALESCE(t.outcome, o.outcome, 'not_dialed'), sip_code = COALESCE(t.sip_code, o.sip_code),
        billable_seconds = o.billable_seconds, cost_micros = o.cost_micros, settled_at = clock_timestamp()
      FROM open_legs o WHERE t.id = o.id
    ), due AS MATERIALIZED (
      SELECT f.id, i.reason, f.ended_at, f.picked_up_at AS answered_at, f.answer_is_new,
        CASE WHEN i.never_dialled AND f.picked_up_at IS NULL THEN f.ended_at ELSE f.started_at END AS started_at,
        LEAST(COALESCE(i.cost_micros, 0), f.hold_micros) + COALESCE(s.cost_micros, 0) AS cost_micros,
        COALESCE(s.hold_micros, 0) AS legs_hold_micros,
        COALESCE(i.billable_seconds, 0) AS billable_seconds,
        i.sip_code, i.answered_by, i.transcript, i.summary, i.recording_key,
        COALESCE(i.recording_pending, false) AS recording_pending,
        COALESCE(i.wants_analysis, false) AND EXISTS (SELECT FROM model_calls m WHERE m.call_id = f.id) AS wants_analysis,
        NULL::jsonb AS details, COALESCE(i.gives_back, false) AND i.never_dialled AND f.picked_up_at IS NULL AS gives_back
      FROM finished f JOIN input i ON i.id = f.id LEFT JOIN leg_sums s ON s.call_id = f.id
    ), ${SETTLE_DUE}, said AS (
      INSERT INTO call_sip_details (call_id, code, reason_phrase, warning, q850_cause, q850_text)
      SELECT e.id, s.code, s."reasonPhrase", s.warning, s."q850Cause", s."q850Text"
      FROM ended e JOIN input i ON i.id = e.id, LATERAL jsonb_to_record(i.sip) AS s(
        code int, "reasonPhrase" text, warning text, "q850Cause" int, "q850Text" text)
      WHERE i.sip IS NOT NULL ORDER BY e.id
    ), failures AS (
      INSERT INTO call_failures (call_id, code, field)
      SELECT e.id, i.failure_code, i.failure_field FROM ended e JOIN input i ON i.id = e.id
      WHERE i.failure_code IS NOT NULL
    )${inputs.some(concernsModels) ? settleModels() : Prisma.empty}${inputs.some(optsOut) ? OPT_OUTS : Prisma.empty}
    SELECT l.id AS "callId", l.account_id AS "accountId", l.reservation_id AS "reservationId",
      COALESCE(p.balance_micros, w.balance_micros) AS "balanceMicros", COALESCE(p.version, w.version) AS "balanceVersion",
      (SELECT jsonb_agg(jsonb_build_object('id', t.id, 'reservationId', t.reservation_id)) FROM transfer_legs t
       WHERE t.call_id = l.id) AS legs
    FROM locked l JOIN wallets w ON w.account_id = l.account_id LEFT JOIN paid p ON p.account_id = l.account_id`;
  const byCall = new Map(rows.map((row) => [row.callId, row]));
  return inputs.map((input) => {
    const row = byCall.get(callIdOf(input));
    return row ? toReleases(row) : null;
  });
}
