import { EVALUATION_LIMITS, type EvaluationRunId } from '@outdial/contracts';
import type { Database } from '../database.ts';
import { storableJson } from '../sql/storable-json.ts';
import type { EvaluationStore } from './evaluation-store.ts';

type Side = Pick<Database, 'side'>;

export async function startableRuns(
  { side }: Side,
  { accountId, limit }: Parameters<EvaluationStore['startable']>[0],
): Promise<readonly EvaluationRunId[]> {
  const rows = await side.$queryRaw<{ runId: EvaluationRunId }[]>`
    WITH waiting AS (
      SELECT r.id, r.account_id, r.created_at,
        row_number() OVER (PARTITION BY r.account_id ORDER BY r.created_at, r.position) AS place
      FROM evaluation_runs r
      WHERE r.ended_at IS NULL AND r.try_id IS NULL AND (r.account_id = ${accountId}::uuid OR ${accountId}::uuid IS NULL)
    ), running AS (
      SELECT r.account_id, count(*) AS runs FROM evaluation_runs r JOIN agent_tries t ON t.id = r.try_id
      WHERE t.ended_at IS NULL GROUP BY r.account_id
    )
    SELECT w.id AS "runId" FROM waiting w LEFT JOIN running n ON n.account_id = w.account_id
    WHERE w.place <= ${EVALUATION_LIMITS.running}::int - COALESCE(n.runs, 0)
    ORDER BY w.created_at, w.place LIMIT ${limit}::int`;
  return rows.map(({ runId }) => runId);
}

export async function renewRun(
  { side }: Side,
  { tryId, lease, leaseMs, usage, costMicros }: Parameters<EvaluationStore['renewRun']>[0],
): Promise<'written' | 'fenced' | 'cancelled'> {
  const [row] = await side.$queryRaw<{ isCancelled: boolean }[]>`
    UPDATE agent_tries t SET lease_until = clock_timestamp() + ${leaseMs}::int * interval '1 millisecond',
      usage = ${JSON.stringify(usage)}::jsonb, cost_micros = ${costMicros}::bigint
    FROM evaluation_runs r JOIN evaluations e ON e.id = r.evaluation_id
    WHERE t.id = ${tryId}::uuid AND r.try_id = t.id AND t.lease = ${lease}::uuid AND t.ended_at IS NULL
    RETURNING e.cancelled_at IS NOT NULL AS "isCancelled"`;
  if (row === undefined) return 'fenced';
  return row.isCancelled ? 'cancelled' : 'written';
}

export async function endRun(
  { side }: Side,
  { runId, lease, verdict, problem, endedReason, judgments, transcript }: Parameters<EvaluationStore['endRun']>[0],
): Promise<'written' | 'fenced'> {
  const written = await side.$executeRaw`
    UPDATE evaluation_runs r SET ended_at = clock_timestamp(), verdict = ${verdict}, problem = ${problem},
      ended_reason = ${endedReason}, judgments = ${storableJson(judgments)}::jsonb,
      transcript = ${storableJson(transcript)}::jsonb
    FROM agent_tries t
    WHERE r.id = ${runId}::uuid AND r.ended_at IS NULL AND t.id = r.try_id AND t.lease = ${lease}::uuid
      AND t.ended_at IS NULL`;
  return written === 1 ? 'written' : 'fenced';
}

export async function endLostRuns({ side }: Side): Promise<number> {
  return side.$executeRaw`
    UPDATE evaluation_runs r SET ended_at = clock_timestamp(), verdict = 'errored', problem = 'worker_lost'
    FROM agent_tries t WHERE r.ended_at IS NULL AND t.id = r.try_id AND t.ended_at IS NOT NULL`;
}
