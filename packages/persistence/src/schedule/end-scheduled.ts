import type { NotPermitted } from '@outdial/calls';
import type { CallId } from '@outdial/contracts';
import type { Database } from '../database.ts';
import { END_LOCKED_UNDIALED } from '../drive/end-undialed.ts';
import { sqlReason, sqlStatusesIn } from '../sql/call-states.ts';

/** A call that another statement has locked is left to the next time: it is being admitted, or ended. */
export async function endExpired(
  { side }: Database,
  { limit }: { readonly limit: number },
): Promise<readonly CallId[]> {
  const rows = await side.$queryRaw<{ callId: CallId }[]>`
    WITH expired AS MATERIALIZED (
      -- In a SELECT, it is asked once: asked for every row, no index would serve.
      SELECT s.call_id, CASE WHEN s.waiting_for <> 'time' OR s.scheduled_for > (SELECT clock_timestamp()) THEN s.waiting_for END
        AS waiting_for
      FROM call_schedules s WHERE s.is_waiting AND s.give_up_at <= (SELECT clock_timestamp())
      ORDER BY s.give_up_at LIMIT ${limit}::int
    ), locked AS MATERIALIZED (
      SELECT c.id, c.created_at, ${sqlReason('schedule_expired')}::ended_reason AS reason,
        jsonb_strip_nulls(jsonb_build_object('waiting_for', x.waiting_for)) AS details
      FROM expired x JOIN calls c ON c.id = x.call_id
      WHERE c.status IN ${sqlStatusesIn('planned')} ORDER BY c.id FOR NO KEY UPDATE OF c SKIP LOCKED
    ), ${END_LOCKED_UNDIALED}`;
  return rows.map(({ callId }) => callId);
}

export async function refuse({ side }: Database, input: NotPermitted): Promise<boolean> {
  const { callId, admitToken, code } = input;
  const rows = await side.$queryRaw<{ callId: CallId }[]>`
    WITH locked AS MATERIALIZED (
      SELECT c.id, c.created_at, ${input.reason}::ended_reason AS reason, jsonb_build_object('code', ${code}::text) AS details
      FROM calls c JOIN call_schedules s ON s.call_id = c.id
      WHERE c.id = ${callId}::uuid AND c.status IN ${sqlStatusesIn('planned')} AND s.admit_token = ${admitToken}::uuid
      FOR NO KEY UPDATE OF c, s
    ), ${END_LOCKED_UNDIALED}`;
  return rows.length === 1;
}
