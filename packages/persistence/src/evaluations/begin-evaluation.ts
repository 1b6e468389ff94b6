import { EVALUATION_LIMITS, micros, type EvaluationId } from '@outdial/contracts';
import { invariant, unreachable } from '@outdial/kernel';
import type { Database } from '../database.ts';
import type { BeginEvaluationOutcome, NewEvaluation, NewRun } from './evaluation-store.ts';

interface BegunRow {
  readonly outcome: BeginEvaluationOutcome['kind'];
  readonly evaluationId: EvaluationId;
  readonly inUse: number;
  readonly retryAfterSeconds: number;
  readonly availableMicros: bigint;
}

const DAY_SECONDS = 86_400;

export async function beginEvaluation(
  { side }: Pick<Database, 'side'>,
  input: NewEvaluation,
): Promise<BeginEvaluationOutcome> {
  const [row] = await side.$queryRaw<BegunRow[]>`
    SELECT outcome, evaluation_id AS "evaluationId", in_use AS "inUse", retry_after_seconds AS "retryAfterSeconds",
      available_micros AS "availableMicros"
    FROM begin_evaluation(${JSON.stringify(toInput(input))}::jsonb)`;
  invariant(row, 'an evaluation has an outcome');
  const { outcome, evaluationId, inUse, retryAfterSeconds, availableMicros } = row;
  switch (outcome) {
    case 'begun':
    case 'known':
      return { kind: outcome, evaluationId };
    case 'key_reused':
      return { kind: outcome };
    case 'too_many':
    case 'no_runs':
      return { kind: outcome, inUse, retryAfterSeconds };
    case 'insufficient_funds':
      return { kind: outcome, availableMicros: micros(availableMicros) };
    default:
      return unreachable(outcome);
  }
}

function toInput(input: NewEvaluation) {
  return {
    id: input.evaluationId,
    account_id: input.accountId,
    agent_id: input.agentId,
    agent_version: input.agentVersion,
    llm: input.llm,
    idempotency_key: input.idempotency?.key ?? null,
    request_hash: input.idempotency?.requestHash ?? null,
    runs: input.runs.map(toRun),
    max_open: EVALUATION_LIMITS.open,
    max_runs: EVALUATION_LIMITS.runsPerDay,
    window_seconds: DAY_SECONDS,
  };
}

function toRun(run: NewRun, position: number) {
  return {
    id: run.runId,
    position,
    scenario: run.scenario,
    driver: run.driver,
    needs: run.models,
    rates: run.rates.map((rate) => ({ ...rate, priceMicrosPerMillion: Number(rate.priceMicrosPerMillion) })),
    hold_micros: Number(run.holdMicros),
    reservation_id: run.reservationId,
  };
}
