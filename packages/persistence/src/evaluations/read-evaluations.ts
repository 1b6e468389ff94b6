import {
  evaluationLlmSchema,
  judgmentsSchema,
  micros,
  runLinesSchema,
  scenarioSchema,
  type EvaluationId,
} from '@outdial/contracts';
import type { Database } from '../database.ts';
import { Prisma } from '../generated/client.ts';
import type { EvaluationRecord, EvaluationStore, RunRecord } from './evaluation-store.ts';

type Side = Pick<Database, 'side'>;
type RecordRow = Omit<EvaluationRecord, 'llm' | 'costMicros'> & { readonly llm: unknown; readonly costMicros: bigint };
type RunRow = Omit<RunRecord, 'scenario' | 'judgments' | 'transcript' | 'costMicros'> & {
  readonly scenario: unknown;
  readonly judgments: unknown;
  readonly transcript: unknown;
  readonly costMicros: bigint;
};

/** Of an evaluation `e` and the sums `s` of its runs. */
const COLUMNS = Prisma.sql`
  e.id AS "evaluationId", e.sequence::text AS sequence, e.agent_id AS "agentId", e.agent_version AS "agentVersion", e.llm,
  e.cancelled_at IS NOT NULL AS "isCancelled", s."hasBegun", s.scenarios, s.ended, s.passed, s.failed, s.errored,
  s."costMicros", epoch_ms(e.created_at) AS "createdAtMs", s."endedAtMs"`;

const SUMS = Prisma.sql`
  LEFT JOIN LATERAL (
    SELECT COALESCE(bool_or(r.try_id IS NOT NULL OR r.ended_at IS NOT NULL), false) AS "hasBegun",
      count(*)::int AS scenarios, count(r.ended_at)::int AS ended,
      count(*) FILTER (WHERE r.verdict = 'passed')::int AS passed, count(*) FILTER (WHERE r.verdict = 'failed')::int AS failed,
      count(*) FILTER (WHERE r.verdict = 'errored')::int AS errored,
      COALESCE(sum(t.cost_micros), 0)::bigint AS "costMicros",
      CASE WHEN count(*) = count(r.ended_at) THEN epoch_ms(max(r.ended_at)) END AS "endedAtMs"
    FROM evaluation_runs r LEFT JOIN agent_tries t ON t.id = r.try_id WHERE r.evaluation_id = e.id
  ) s ON true`;

export async function listEvaluations(
  { side }: Side,
  { accountId, agentId, before, limit }: Parameters<EvaluationStore['list']>[0],
): Promise<readonly EvaluationRecord[]> {
  const rows = await side.$queryRaw<RecordRow[]>`
    SELECT ${COLUMNS} FROM (
      SELECT * FROM evaluations e
      WHERE e.account_id = ${accountId}::uuid AND e.agent_id = ${agentId}::uuid
        AND e.sequence < ${before}::bigint IS NOT FALSE
      ORDER BY e.sequence DESC LIMIT ${limit}::int
    ) e ${SUMS} ORDER BY e.sequence DESC`;
  return rows.map(toRecord);
}

export async function findEvaluation(
  { side }: Side,
  { accountId, agentId, evaluationId }: Parameters<EvaluationStore['find']>[0],
): Promise<(EvaluationRecord & { readonly runs: readonly RunRecord[] }) | null> {
  const [row] = await side.$queryRaw<RecordRow[]>`
    SELECT ${COLUMNS} FROM evaluations e ${SUMS}
    WHERE e.id = ${evaluationId}::uuid AND e.account_id = ${accountId}::uuid AND e.agent_id = ${agentId}::uuid`;
  return row ? { ...toRecord(row), runs: await runsOf({ side }, evaluationId) } : null;
}

export async function cancelEvaluation(
  { side }: Side,
  { accountId, agentId, evaluationId }: Parameters<EvaluationStore['cancel']>[0],
): Promise<boolean> {
  const [row] = await side.$queryRaw<{ found: number }[]>`
    WITH cancelled AS (
      UPDATE evaluations e SET cancelled_at = COALESCE(e.cancelled_at, clock_timestamp())
      WHERE e.id = ${evaluationId}::uuid AND e.account_id = ${accountId}::uuid AND e.agent_id = ${agentId}::uuid
        AND EXISTS (SELECT FROM evaluation_runs r WHERE r.evaluation_id = e.id AND r.ended_at IS NULL)
      RETURNING e.id
    ), ended AS (
      UPDATE evaluation_runs r SET ended_at = clock_timestamp(), verdict = 'errored', problem = 'cancelled'
      FROM cancelled c WHERE r.evaluation_id = c.id AND r.try_id IS NULL AND r.ended_at IS NULL
    )
    SELECT count(*)::int AS found FROM evaluations e
    WHERE e.id = ${evaluationId}::uuid AND e.account_id = ${accountId}::uuid AND e.agent_id = ${agentId}::uuid`;
  return row?.found === 1;
}

async function runsOf({ side }: Side, evaluationId: EvaluationId): Promise<readonly RunRecord[]> {
  const rows = await side.$queryRaw<RunRow[]>`
    SELECT r.scenario, r.verdict, r.problem, r.ended_reason AS "endedReason", r.judgments, r.transcript,
      COALESCE(t.cost_micros, 0)::bigint AS "costMicros", epoch_ms(r.started_at) AS "startedAtMs",
      epoch_ms(r.ended_at) AS "endedAtMs"
    FROM evaluation_runs r LEFT JOIN agent_tries t ON t.id = r.try_id
    WHERE r.evaluation_id = ${evaluationId}::uuid ORDER BY r.position`;
  return rows.map((row) => ({
    ...row,
    scenario: scenarioSchema.parse(row.scenario),
    judgments: judgmentsSchema.parse(row.judgments),
    transcript: runLinesSchema.parse(row.transcript),
    costMicros: micros(row.costMicros),
  }));
}

function toRecord(row: RecordRow): EvaluationRecord {
  return { ...row, llm: evaluationLlmSchema.parse(row.llm), costMicros: micros(row.costMicros) };
}
