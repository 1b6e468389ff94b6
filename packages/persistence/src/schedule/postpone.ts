import type { ScheduleStore } from '@outdial/calls';
import type { CallId } from '@outdial/contracts';
import type { Database } from '../database.ts';

/** Returns the call if its timeline has a new entry: what it waits for, and until when. */
export async function postpone(
  { side }: Database,
  { callId, admitToken, waitingFor, dueAtMs }: Parameters<ScheduleStore['postpone']>[0],
): Promise<readonly CallId[]> {
  const rows = await side.$queryRaw<{ callId: CallId }[]>`
    WITH locked AS MATERIALIZED (
      SELECT s.call_id, x.due_at, (s.waiting_for, s.due_at) IS DISTINCT FROM (${waitingFor}, x.due_at) AS is_news
      FROM call_schedules s, LATERAL (SELECT from_epoch_ms(${Math.ceil(dueAtMs)}::bigint)::timestamptz(3) AS due_at) x
      WHERE s.call_id = ${callId}::uuid AND s.is_waiting AND s.admit_token = ${admitToken}::uuid
      FOR NO KEY UPDATE OF s
    ), written AS (
      UPDATE call_schedules s
      SET admit_token = NULL, admitting_until = NULL, waiting_for = ${waitingFor}, due_at = l.due_at
      FROM locked l WHERE s.call_id = l.call_id
    )
    INSERT INTO call_events (call_id, at, type, data)
    SELECT l.call_id, clock_timestamp(), 'waiting', jsonb_build_object('for', ${waitingFor}::text, 'until', iso_ms(l.due_at))
    FROM locked l WHERE l.is_news RETURNING call_id AS "callId"`;
  return rows.map(({ callId: id }) => id);
}
