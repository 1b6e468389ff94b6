import type { DriveStore, ReclaimOutcome } from '@outdial/calls';
import type { CallId } from '@outdial/contracts';
import { unreachable } from '@outdial/kernel';
import type { Database } from '../database.ts';
import { sqlReason, sqlStatusesBefore } from '../sql/call-states.ts';
import { Prisma } from '../generated/client.ts';
import { DIAL_VERDICT, givesBack, HAS_POLICY, TIMED } from './claim.ts';

export type ReclaimInput = Parameters<DriveStore['reclaim']>[0];

interface AnswerRow {
  readonly callId: CallId;
  readonly outcome:
    | 'claimed'
    | 'paused'
    | 'fenced'
    | 'cancelled'
    | 'queue_expired'
    | 'suppressed'
    | 'outside_calling_window'
    | 'frequency_capped';
  readonly givesBack: boolean | null;
}

/**
 * The checks of a claim, for calls that were claimed and not dialed. `started_at` moves to now: from it are computed the
 * time when an unreachable leg must be over, and how long a call waited to be dialed.
 */
export async function reclaimCalls(
  { hot }: Database,
  inputs: readonly ReclaimInput[],
): Promise<readonly ReclaimOutcome[]> {
  const batch = JSON.stringify(inputs.map(({ callId, epoch, leaseMs }) => ({ id: callId, epoch, lease_ms: leaseMs })));
  const answers = await hot.$queryRaw<AnswerRow[]>`
    WITH input AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset(${batch}::jsonb) AS r(id uuid, epoch int, lease_ms int)
    ), locked AS MATERIALIZED (
      SELECT c.id, c.account_id, c.callee_number, c.started_at, c.expires_at, c.end_requested_at, a.enabled, c.campaign_id,
             c.callee_zones, c.callee_regions, c.callee_time_zone, ${HAS_POLICY} AS has_policy,
             i.lease_ms * interval '1 millisecond' AS lease
      FROM input i JOIN calls c ON c.id = i.id JOIN accounts a ON a.id = c.account_id
      WHERE c.epoch = i.epoch AND c.status IN ${sqlStatusesBefore('answered')}
        -- A worker that handed a call over has lost it, even before another worker takes it.
        AND c.lease_expires_at > c.lease_renewed_at
      ORDER BY c.id FOR NO KEY UPDATE OF c
    ), timed AS MATERIALIZED (
      ${TIMED}
    ), judged AS MATERIALIZED (
      SELECT t.*, GREATEST(t.now, t.started_at) AS restarted_at, CASE ${DIAL_VERDICT} END AS verdict
      FROM timed t
    ), decided AS MATERIALIZED (
      -- As in a claim. The call's own dial, which it was granted and did not make, does not count, and moves to now.
      SELECT j.*, ${givesBack(Prisma.sql`j.verdict`)} AS gives_back,
        CASE
          WHEN j.verdict = 'claimed' AND j.has_policy
            AND NOT grant_dial(j.account_id, j.callee_number, j.started_at, j.restarted_at)
            THEN ${sqlReason('frequency_capped')}
          ELSE j.verdict
        END AS outcome
      FROM (SELECT * FROM judged ORDER BY account_id, callee_number, id OFFSET 0) j
    ), claimed AS (
      UPDATE calls c
      SET started_at = j.restarted_at, lease_renewed_at = j.now, lease_expires_at = j.now + j.lease
      FROM decided j WHERE c.id = j.id AND j.outcome = 'claimed'
    )
    SELECT i.id AS "callId", COALESCE(j.outcome, 'fenced') AS outcome, j.gives_back AS "givesBack"
    FROM input i LEFT JOIN decided j ON j.id = i.id`;
  const byCall = new Map(answers.map((answer) => [answer.callId, answer]));
  return inputs.map(({ callId }) => toOutcome(byCall.get(callId) ?? { outcome: 'fenced', givesBack: null }));
}

function toOutcome({ outcome, givesBack: isGivenBack }: Omit<AnswerRow, 'callId'>): ReclaimOutcome {
  switch (outcome) {
    case 'cancelled':
    case 'queue_expired':
    case 'suppressed':
    case 'outside_calling_window':
    case 'frequency_capped':
      return { kind: 'refused', reason: outcome, ...(isGivenBack && { givesBack: true }) };
    case 'claimed':
    case 'paused':
    case 'fenced':
      return { kind: outcome };
    default:
      return unreachable(outcome);
  }
}
