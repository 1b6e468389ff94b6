import {
  microsToDecimal,
  type EvaluationBody,
  type EvaluationRunBody,
  type EvaluationSummaryBody,
} from '@outdial/contracts';
import type { EvaluationRecord, RunRecord } from '@outdial/persistence';
import { timestamp, timestampOrNull } from '@outdial/presentation';

export function presentSummary(record: EvaluationRecord, currency: string): EvaluationSummaryBody {
  const { scenarios, passed, failed, errored, llm } = record;
  return {
    id: record.evaluationId,
    agent_id: record.agentId,
    agent_version: record.agentVersion,
    status: statusOf(record),
    verdict: verdictOf(record),
    counts: { scenarios, passed, failed, errored },
    llm,
    cost: microsToDecimal(record.costMicros),
    currency,
    created_at: timestamp(record.createdAtMs),
    ended_at: timestampOrNull(record.endedAtMs),
  };
}

export function presentEvaluation(
  record: EvaluationRecord & { readonly runs: readonly RunRecord[] },
  currency: string,
): EvaluationBody {
  return { ...presentSummary(record, currency), runs: record.runs.map(presentRun) };
}

function presentRun(run: RunRecord): EvaluationRunBody {
  const { scenario, verdict, problem, judgments, transcript } = run;
  return {
    scenario,
    status: run.endedAtMs !== null ? 'ended' : run.startedAtMs === null ? 'waiting' : 'running',
    verdict,
    problem,
    ended_reason: run.endedReason,
    judgments: [...judgments],
    transcript: [...transcript],
    cost: microsToDecimal(run.costMicros),
    started_at: timestampOrNull(run.startedAtMs),
    ended_at: timestampOrNull(run.endedAtMs),
  };
}

function statusOf({ endedAtMs, isCancelled, hasBegun }: EvaluationRecord): EvaluationSummaryBody['status'] {
  if (endedAtMs !== null) return isCancelled ? 'cancelled' : 'ended';
  return hasBegun ? 'running' : 'waiting';
}

function verdictOf({ endedAtMs, failed, errored }: EvaluationRecord): EvaluationSummaryBody['verdict'] {
  if (endedAtMs === null) return null;
  if (failed > 0) return 'failed';
  return errored > 0 ? 'errored' : 'passed';
}
