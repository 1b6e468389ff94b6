import { randomUUID } from 'node:crypto';
import {
  EVALUATION_LIMITS,
  evaluationLlmSchema,
  micros,
  scenarioSchema,
  type EvaluationRunId,
} from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { readPinned, type PinnedRow } from '../analyses/read-pinned.ts';
import type { Database } from '../database.ts';
import { readSettings } from '../stored-settings.ts';
import type { BeginRunOutcome, EvaluationStore, RunJob } from './evaluation-store.ts';

interface JobRow
  extends
    Omit<RunJob, 'settings' | 'holdMicros' | 'costMicros' | 'scenario' | 'llm' | 'claims' | 'usage' | keyof PinnedRow>,
    PinnedRow {
  readonly settings: unknown;
  readonly scenario: unknown;
  readonly llm: unknown;
  readonly holdMicros: bigint;
}

type Side = Pick<Database, 'side'>;

export async function beginRun(
  { side }: Side,
  { runId, leaseMs }: Parameters<EvaluationStore['beginRun']>[0],
): Promise<BeginRunOutcome> {
  const input = {
    id: runId,
    try_id: randomUUID(),
    lease: randomUUID(),
    lease_ms: leaseMs,
    max_running: EVALUATION_LIMITS.running,
    max_seconds: EVALUATION_LIMITS.seconds,
  };
  const [row] = await side.$queryRaw<{ outcome: BeginRunOutcome['kind'] }[]>`
    SELECT outcome FROM begin_evaluation_run(${JSON.stringify(input)}::jsonb)`;
  invariant(row, 'a run has an outcome');
  if (row.outcome !== 'begun') return { kind: row.outcome };
  return { kind: row.outcome, job: await readJob({ side }, runId) };
}

async function readJob({ side }: Side, runId: EvaluationRunId): Promise<RunJob> {
  const [row] = await side.$queryRaw<JobRow[]>`
    SELECT r.id AS "runId", r.scenario, e.llm, t.id AS "tryId", t.account_id AS "accountId", t.lease::text AS lease,
      v.settings, t.variables, t.needs AS models, t.rates, t.hold_micros AS "holdMicros",
      t.reservation_id AS "reservationId",
      (EXTRACT(epoch FROM t.expires_at - clock_timestamp()) * 1000)::double precision AS "remainingMs"
    FROM evaluation_runs r JOIN evaluations e ON e.id = r.evaluation_id JOIN agent_tries t ON t.id = r.try_id
      JOIN agent_versions v ON v.agent_id = t.agent_id AND v.version = t.agent_version
    WHERE r.id = ${runId}::uuid`;
  invariant(row, 'a run that has begun exists');
  return {
    ...row,
    ...readPinned(row),
    settings: readSettings(row.settings),
    scenario: scenarioSchema.parse(row.scenario),
    llm: evaluationLlmSchema.parse(row.llm),
    holdMicros: micros(row.holdMicros),
    claims: 1,
    usage: [],
    costMicros: micros(0),
  };
}
