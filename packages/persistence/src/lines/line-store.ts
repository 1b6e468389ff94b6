import type { LineStore, TakenLines } from '@outdial/calls';
import type { Database } from '../database.ts';
import { IS_STALE, LOCKED_TOKEN } from '../drive/claim.ts';
import { sqlStatusesIn } from '../sql/call-states.ts';

type AppendOutcome = Awaited<ReturnType<LineStore['appendLine']>>;

interface AnswerRow {
  readonly outcome: AppendOutcome['kind'];
  readonly endRequested: boolean;
}

/** The lines of calls that models conduct. A fallback is rare, so its write is not group-committed. */
export function createLineStore({ hot, side }: Database): LineStore {
  return {
    async appendLine({ callId, epoch, line, token: { generation, walTimeline } }) {
      const [answer] = await hot.$queryRaw<AnswerRow[]>`
        WITH gate_now AS MATERIALIZED (
          ${LOCKED_TOKEN}
        ), locked AS MATERIALIZED (
          SELECT c.id, c.end_requested_at FROM calls c
          WHERE c.id = ${callId}::uuid AND c.epoch = ${epoch}::int AND c.status IN ${sqlStatusesIn('driven')}
          FOR NO KEY UPDATE OF c
        ), judged AS MATERIALIZED (
          SELECT ${IS_STALE} AS is_stale, l.id, l.end_requested_at
          FROM (VALUES (${generation}::bigint, ${walTimeline}::text)) AS j(generation, timeline)
            LEFT JOIN locked l ON true
        ), written AS (
          UPDATE model_calls m SET lines = m.lines || to_jsonb(${line}::text)
          FROM judged j WHERE m.call_id = j.id AND NOT j.is_stale AND NOT m.lines ? ${line}::text
        )
        SELECT CASE WHEN j.is_stale THEN 'gate_stale' WHEN j.id IS NULL THEN 'fenced' ELSE 'written' END AS outcome,
          COALESCE(j.end_requested_at IS NOT NULL, false) AS "endRequested"
        FROM judged j`;
      if (answer?.outcome !== 'written') return { kind: answer?.outcome ?? 'fenced' };
      return { kind: 'written', endRequested: answer.endRequested };
    },
    takenLines: () => side.$queryRaw<TakenLines[]>`
      SELECT c.id AS "callId", c.reservation_id AS "reservationId", c.account_id AS "accountId", m.lines
      FROM calls c JOIN model_calls m ON m.call_id = c.id
      WHERE c.ended_at IS NULL AND c.reservation_id IS NOT NULL AND m.lines IS NOT NULL
      UNION ALL
      SELECT t.id, t.reservation_id, t.account_id, t.lines FROM agent_tries t
      WHERE t.ended_at IS NULL AND t.lines IS NOT NULL ORDER BY 1`,
  };
}
