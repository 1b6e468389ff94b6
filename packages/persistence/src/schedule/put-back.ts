import type { ScheduleStore } from '@outdial/calls';
import type { CallId } from '@outdial/contracts';
import type { Database } from '../database.ts';

/** Returns the calls whose timeline has a new entry: what they wait for. */
export async function putBack(
  { side }: Database,
  { calls, waitingFor }: Parameters<ScheduleStore['putBack']>[0],
): Promise<readonly CallId[]> {
  if (calls.length === 0) return [];
  const batch = JSON.stringify(calls.map(({ callId, admitToken }) => ({ id: callId, admit_token: admitToken })));
  const rows = await side.$queryRaw<{ callId: CallId }[]>`
    WITH input AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset(${batch}::jsonb) AS r(id uuid, admit_token uuid)
    ), locked AS MATERIALIZED (
      SELECT s.call_id, s.waiting_for IS DISTINCT FROM ${waitingFor} AS is_news
      FROM input i JOIN call_schedules s ON s.call_id = i.id
      WHERE s.is_waiting AND s.admit_token = i.admit_token ORDER BY s.call_id FOR NO KEY UPDATE OF s
    ), written AS (
      UPDATE call_schedules s SET admit_token = NULL, admitting_until = NULL, waiting_for = ${waitingFor}
      FROM locked l WHERE s.call_id = l.call_id
    )
    INSERT INTO call_events (call_id, at, type, data)
    SELECT l.call_id, clock_timestamp(), 'waiting', jsonb_build_object('for', ${waitingFor}::text) FROM locked l
    WHERE l.is_news AND ${waitingFor}::text IS NOT NULL ORDER BY l.call_id
    RETURNING call_id AS "callId"`;
  return rows.map(({ callId }) => callId);
}
