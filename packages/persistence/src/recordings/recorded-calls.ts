import type { EndedCallRecording, RecordedCalls } from '@outdial/calls';
import type { CallId } from '@outdial/contracts';
import { parseTraceParent } from '@outdial/kernel';
import type { Database } from '../database.ts';
import { sqlStatusesIn } from '../sql/call-states.ts';

type EndedRow = Omit<EndedCallRecording, 'traceParent'> & { readonly traceParent: string | null };

/** Lookups by primary key only: an index on recordings would cost every settle more than a daily scan does. */
export function createRecordedCalls({ side }: Database): RecordedCalls {
  return {
    async ended({ callIds, workerId, othersAfterMs }) {
      const rows = await side.$queryRaw<EndedRow[]>`
        SELECT c.id AS "callId", c.answered_at IS NOT NULL AS "isRecorded", c.trace_parent AS "traceParent" FROM calls c
        WHERE c.id = ANY(${callIds}::uuid[]) AND c.status IN ${sqlStatusesIn('over')}
          AND (c.worker_id = ${workerId} OR epoch_ms(c.settled_at) <= epoch_ms(clock_timestamp()) - ${othersAfterMs}::int)`;
      return rows.map((row) => ({ ...row, traceParent: parseTraceParent(row.traceParent) }));
    },

    async markStored({ callId, key }) {
      await side.$executeRaw`
        WITH stored AS (
          UPDATE calls SET recording_key = COALESCE(recording_key, ${key}), recording_pending = false
          WHERE id = ${callId}::uuid AND (recording_pending OR recording_key IS NULL)
          RETURNING id, ended_at
        )
        INSERT INTO call_events (call_id, at, type)
        SELECT s.id, GREATEST(clock_timestamp(), s.ended_at), 'recording_available' FROM stored s`;
    },

    async markMissing(callId) {
      await side.$executeRaw`
        UPDATE calls SET recording_key = NULL, recording_pending = false
        WHERE id = ${callId}::uuid AND recording_pending`;
    },

    async expire({ callIds, retentionDays }) {
      const rows = await side.$queryRaw<{ id: CallId }[]>`
        WITH due AS MATERIALIZED (
          SELECT c.id FROM calls c
          WHERE c.id = ANY(${callIds}::uuid[]) AND c.ended_at < clock_timestamp() - make_interval(days => ${retentionDays}::int)
          ORDER BY c.id FOR NO KEY UPDATE OF c
        ), expired AS (
          UPDATE calls c SET recording_key = NULL, recording_pending = false
          FROM due d WHERE c.id = d.id AND c.recording_key IS NOT NULL
        )
        SELECT d.id FROM due d`;
      return rows.map(({ id }) => id);
    },
  };
}
