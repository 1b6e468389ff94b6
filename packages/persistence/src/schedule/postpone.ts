import type { ScheduleStore } from '@outdial/calls';
import type { CallId } from '@outdial/contracts';
import type { Database } from '../database.ts';

/** Longer than it takes from the read of a policy, which is a second old at most, to this statement. */
const NEW_MS = 5_000;
const AGAIN_MS = 2_000;

/**
 * Returns the call if its timeline has a new entry: what it waits for, and until when. Where the account's policy was saved
 * within the last seconds, an earlier one may have postponed the call: it is looked at again soon, and nothing is entered.
 */
export async function postpone(
  { side }: Database,
  { callId, admitToken, waitingFor, dueAtMs }: Parameters<ScheduleStore['postpone']>[0],
): Promise<readonly CallId[]> {
  const rows = await side.$queryRaw<{ callId: CallId }[]>`
    WITH locked AS MATERIALIZED (
      SELECT s.call_id, LEAST(x.due_at, n.again_at) AS due_at,
        (s.waiting_for, s.due_at) IS DISTINCT FROM (${waitingFor}, x.due_at) AND n.again_at IS NULL AS is_news
      FROM call_schedules s, LATERAL (SELECT from_epoch_ms(${Math.ceil(dueAtMs)}::bigint)::timestamptz(3) AS due_at) x,
        LATERAL (SELECT (
          SELECT m.at + ${AGAIN_MS}::int * interval '1 millisecond'
          FROM accounts a JOIN calling_policies p ON p.account_id = a.id AND p.version = a.policy_version,
            (SELECT clock_timestamp() AS at OFFSET 0) m
          WHERE a.id = s.account_id AND p.saved_at > m.at - ${NEW_MS}::int * interval '1 millisecond') AS again_at) n
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
