import type { ClaimOutcome, DriveStore } from '@outdial/calls';
import type { CallId, ReservationId } from '@outdial/contracts';
import { invariant, parseTraceParent, unreachable } from '@outdial/kernel';
import { FACT_COLUMNS, toFacts, type FactRow } from '../call-row.ts';
import type { Database } from '../database.ts';
import { Prisma } from '../generated/client.ts';
import type { SettingsCache } from '../stored-settings.ts';
import { sqlReason, sqlStatusAfter, sqlStatusesBefore, sqlStatusesIn } from '../sql/call-states.ts';

export type ClaimInput = Parameters<DriveStore['claim']>[0];

interface ClaimedRow extends FactRow {
  readonly outcome: 'claimed';
  readonly reservationId: ReservationId;
  readonly epoch: number;
  readonly requestId: string;
  readonly traceParent: string | null;
  readonly queuedAtMs: number;
  readonly startedAtMs: number;
  readonly settings: unknown;
}

type AnswerRow = { readonly callId: CallId; readonly leasedForMs: number | null } & (
  | ClaimedRow
  | {
      readonly outcome:
        | 'ended'
        | 'leased'
        | 'lease_over'
        | 'cancelled'
        | 'queue_expired'
        | 'suppressed'
        | 'outside_calling_window'
        | 'frequency_capped'
        | 'paused'
        | 'unknown';
      readonly givesBack: boolean | null;
    }
  | { readonly outcome: 'driver_unknown' | 'lines_needed' | 'gate_stale' }
);

/**
 * Whether an undialed call `t` may be dialed at `t.now`. Reasons to end it take precedence over reasons to wait. The worker
 * dials within a second of sending the statement (`DIAL_PERMIT_MS`), so an entry of a do-not-call list, or a policy, that the
 * snapshot misses is younger than that. So is a pause of its campaign.
 */
export const DIAL_VERDICT = Prisma.sql`
          WHEN t.end_requested_at IS NOT NULL OR NOT t.enabled THEN ${sqlReason('cancelled')}
          WHEN t.campaign_forbids IN ('over', 'paused') THEN ${sqlReason('cancelled')}
          WHEN t.expires_at <= t.now OR t.campaign_forbids = 'ended' THEN ${sqlReason('queue_expired')}
          WHEN EXISTS (SELECT FROM suppressions_of(t.account_id, t.callee_number)) THEN ${sqlReason('suppressed')}
          WHEN t.has_policy AND EXISTS (
            SELECT FROM closed_windows_of(t.account_id, t.callee_zones, t.callee_regions, t.callee_time_zone, t.now))
            THEN ${sqlReason('outside_calling_window')}
          WHEN t.campaign_forbids = 'closed' THEN ${sqlReason('outside_calling_window')}
          WHEN (SELECT s.dialling_paused FROM system_settings s WHERE s.id = 1) THEN 'paused'
          ELSE 'claimed'`;

/**
 * The locked calls with the time at which they are judged, which comes after the lock, and what their campaigns say then. A call
 * without a campaign asks nothing.
 */
export const TIMED = Prisma.sql`
      SELECT l.*, m.now, CASE WHEN l.campaign_id IS NOT NULL THEN campaign_forbids(l.campaign_id, m.now) END AS campaign_forbids
      FROM locked l, LATERAL (SELECT clock_timestamp() AS now WHERE l.id IS NOT NULL) m`;

/**
 * Of a judged call `j` with this `outcome`: whether its contact is to be called again, since its campaign goes on. It was not
 * dialed because the campaign is paused, its account is disabled, or hours have closed since it was queued.
 */
export const givesBack = (outcome: Prisma.Sql) => Prisma.sql`
        j.campaign_id IS NOT NULL AND j.end_requested_at IS NULL AND j.campaign_forbids IS DISTINCT FROM 'over'
          AND ${outcome} IN (${sqlReason('cancelled')}, ${sqlReason('outside_calling_window')})`;

/** Of account `a`: whether any policy binds it. Most have none, and need not be asked further. */
export const HAS_POLICY = Prisma.sql`a.policy_version > 0
               OR (SELECT s.policy_floor IS NOT NULL FROM system_settings s WHERE s.id = 1)`;

/**
 * The gate's token, locked against the next generation until the lines that it gave are committed: a restore reads them
 * after that generation. A claim of scripted calls never reads it, and so locks nothing.
 */
export const LOCKED_TOKEN = Prisma.sql`SELECT g.generation, postgres_timeline() AS timeline FROM gate g WHERE g.id = 1 FOR SHARE`;

/** Whether the lines of row `j` were given under an earlier token than that of `gate_now`. */
export const IS_STALE = Prisma.sql`(j.generation, j.timeline) IS DISTINCT FROM
            ((SELECT g.generation FROM gate_now g), (SELECT g.timeline FROM gate_now g))`;

/**
 * `queued` → `dialing` for each call that may still be dialed, which is counted where a policy has caps. The rows are locked
 * first, in id order: the losers of a race then wait for the winner and see what it wrote, where a snapshot would show the
 * call as still queued.
 */
export async function claimCalls(
  { hot }: Database,
  inputs: readonly ClaimInput[],
  agents: SettingsCache,
): Promise<readonly ClaimOutcome[]> {
  const batch = JSON.stringify(
    inputs.map(({ callId, workerId, leaseMs, writeAheadDial, drivers, lines, traceParent }) => ({
      id: callId,
      worker_id: workerId,
      lease_ms: leaseMs,
      records_ahead: writeAheadDial,
      drivers,
      trace_parent: traceParent,
      ...(lines && {
        lines: lines.names,
        generation: lines.token.generation,
        timeline: lines.token.walTimeline,
      }),
    })),
  );
  const answers = await hot.$queryRaw<AnswerRow[]>`
    WITH input AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset(${batch}::jsonb) AS r(id uuid, worker_id text, lease_ms int, records_ahead boolean,
        drivers text[], lines jsonb, generation bigint, timeline text, trace_parent text)
    ), gate_now AS MATERIALIZED (
      ${LOCKED_TOKEN}
    ), locked AS MATERIALIZED (
      SELECT c.id, c.account_id, c.callee_number, c.status, c.created_at, c.expires_at, c.end_requested_at,
             c.callee_zones, c.callee_regions, c.callee_time_zone, ${HAS_POLICY} AS has_policy,
             c.campaign_id, c.lease_expires_at, a.enabled, i.worker_id, i.records_ahead, i.lease_ms * interval '1 millisecond' AS lease,
             m.call_id IS NOT NULL AS is_modelled, COALESCE(m.driver = ANY (i.drivers), false) AS knows_driver,
             i.lines, i.generation, i.timeline, i.trace_parent
      FROM input i JOIN calls c ON c.id = i.id JOIN accounts a ON a.id = c.account_id
        LEFT JOIN model_calls m ON m.call_id = i.id
      ORDER BY c.id FOR NO KEY UPDATE OF c
    ), timed AS MATERIALIZED (
      ${TIMED}
    ), judged AS MATERIALIZED (
      SELECT t.*,
        -- Two reads of one clock may return the same millisecond; started_at must be later than created_at.
        GREATEST(t.now, t.created_at + interval '1 millisecond') AS started_at,
        CASE
          WHEN t.status IN ${sqlStatusesIn('over')} THEN 'ended'
          WHEN t.status NOT IN ${sqlStatusesBefore('claimed')} AND t.lease_expires_at > t.now THEN 'leased'
          WHEN t.status NOT IN ${sqlStatusesBefore('claimed')} THEN 'lease_over'
          ${DIAL_VERDICT}
        END AS outcome
      FROM timed t
    ), possible AS MATERIALIZED (
      SELECT j.*, ${givesBack(Prisma.sql`j.outcome`)} AS gives_back,
        CASE
          WHEN j.outcome <> 'claimed' OR NOT j.is_modelled THEN j.outcome
          WHEN NOT j.knows_driver THEN 'driver_unknown'
          WHEN j.lines IS NULL THEN 'lines_needed'
          WHEN ${IS_STALE} THEN 'gate_stale'
          ELSE 'claimed'
        END AS verdict
      FROM judged j
    ), decided AS MATERIALIZED (
      -- Counted last: only a call that is dialed counts. In one order for everybody.
      SELECT p.*,
        CASE
          WHEN p.verdict = 'claimed' AND p.has_policy AND NOT grant_dial(p.account_id, p.callee_number, NULL, p.started_at)
            THEN ${sqlReason('frequency_capped')}
          ELSE p.verdict
        END AS decision
      FROM (SELECT * FROM possible ORDER BY account_id, callee_number, id OFFSET 0) p
    ), claimed AS (
      UPDATE calls c
      SET status = ${sqlStatusAfter('claimed')}, epoch = c.epoch + 1, worker_id = j.worker_id, records_ahead = j.records_ahead,
          started_at = j.started_at, lease_renewed_at = j.now, lease_expires_at = j.now + j.lease,
          trace_parent = COALESCE(c.trace_parent, j.trace_parent)
      FROM decided j WHERE c.id = j.id AND j.decision = 'claimed'
      RETURNING c.*
    ), lined AS (
      UPDATE model_calls m SET lines = j.lines
      FROM decided j WHERE m.call_id = j.id AND j.is_modelled AND j.decision = 'claimed'
    ), events AS (
      INSERT INTO call_events (call_id, at, type) SELECT c.id, c.started_at, ${sqlStatusAfter('claimed')} FROM claimed c ORDER BY c.id
    )
    SELECT i.id AS "callId", COALESCE(j.decision, 'unknown') AS outcome, j.gives_back AS "givesBack",
      CEIL(EXTRACT(epoch FROM j.lease_expires_at - j.now) * 1000)::double precision AS "leasedForMs",
      ${FACT_COLUMNS}, c.reservation_id AS "reservationId", c.epoch, c.request_id AS "requestId", c.trace_parent AS "traceParent",
      epoch_ms(COALESCE(c.queued_at, c.created_at)) AS "queuedAtMs", epoch_ms(c.started_at) AS "startedAtMs", v.settings
    FROM input i LEFT JOIN decided j ON j.id = i.id LEFT JOIN claimed c ON c.id = i.id
      LEFT JOIN agent_versions v ON v.agent_id = c.agent_id AND v.version = c.agent_version`;
  const byCall = new Map(answers.map((answer) => [answer.callId, answer]));
  return inputs.map((input) => toOutcome(byCall.get(input.callId), agents));
}

function toOutcome(answer: AnswerRow | undefined, agents: SettingsCache): ClaimOutcome {
  invariant(answer, 'a claim has an outcome for every call');
  switch (answer.outcome) {
    case 'claimed': {
      const { agentId, agentVersion, reservationId, epoch, requestId, queuedAtMs, startedAtMs } = answer;
      const traceParent = parseTraceParent(answer.traceParent);
      const settings = agents.settingsOf(agentId, agentVersion, answer.settings);
      return {
        kind: 'claimed',
        call: { ...toFacts(answer), reservationId, epoch, requestId, traceParent, settings, queuedAtMs, startedAtMs },
      };
    }
    case 'leased':
      return { kind: 'leased', forMs: Math.max(1, answer.leasedForMs ?? 1) };
    case 'cancelled':
    case 'queue_expired':
    case 'suppressed':
    case 'outside_calling_window':
    case 'frequency_capped':
      return { kind: 'refused', reason: answer.outcome, ...(answer.givesBack && { givesBack: true }) };
    case 'ended':
    case 'lease_over':
    case 'paused':
    case 'driver_unknown':
    case 'lines_needed':
    case 'gate_stale':
    case 'unknown':
      return { kind: answer.outcome };
    default:
      return unreachable(answer);
  }
}
