import type { AnalysisStore, FinishAnalysis, FinishAnalysisOutcome } from '@outdial/calls';
import { micros, type CallId } from '@outdial/contracts';
import { invariant, unreachable } from '@outdial/kernel';
import type { Database } from '../database.ts';
import type { Announcing } from '../group-commit.ts';
import { claimAnalysis, waitOf } from './claim-analysis.ts';
import { nextAnalysis } from './next-analysis.ts';

interface FinishRow {
  readonly outcome: FinishAnalysisOutcome['kind'];
  readonly balanceMicros: bigint;
  readonly balanceVersion: bigint;
}

/** Analyses of ended calls. On the side pool: nothing here may delay a call. */
export function createAnalysisStore(database: Database, { onCommitted }: Announcing = {}): AnalysisStore {
  const { side } = database;
  return {
    next: nextAnalysis(database),
    waitOf: (callId) => waitOf(database, callId),
    claim: (input) => claimAnalysis(database, input),
    async retryLater({ callId, lease, afterMs }) {
      const written = await side.$executeRaw`
        UPDATE model_calls
        SET analysis_lease = NULL, analysis_due_at = clock_timestamp() + ${afterMs}::int * interval '1 millisecond'
        WHERE call_id = ${callId}::uuid AND analysis_status = 'pending' AND analysis_lease = ${lease}::uuid`;
      return written === 1 ? 'written' : 'fenced';
    },
    async finish(input) {
      const [row] = await side.$queryRaw<FinishRow[]>`
        SELECT outcome, balance_micros AS "balanceMicros", balance_version AS "balanceVersion"
        FROM finish_analysis(${JSON.stringify(toInput(input))}::jsonb)`;
      invariant(row, 'a call to analyze exists');
      if (row.outcome === 'finished') onCommitted?.([input.callId]);
      return toOutcome(row);
    },
    async overdue({ overdueMs, limit }) {
      const rows = await side.$queryRaw<{ callId: CallId }[]>`
        SELECT call_id AS "callId" FROM model_calls
        WHERE analysis_status = 'pending'
          AND analysis_due_at <= clock_timestamp() - ${overdueMs}::int * interval '1 millisecond'
        ORDER BY analysis_due_at, call_id LIMIT ${limit}::int`;
      return rows.map(({ callId }) => callId);
    },
  };
}

function toInput({ callId, lease, end, payment }: FinishAnalysis) {
  const { status, analysis } = end;
  return {
    id: callId,
    lease,
    status,
    analysis: analysis && { ...analysis, costMicros: Number(analysis.costMicros) },
    data: end.status === 'completed' ? { status } : { status, problem: end.problem },
    cost_micros: Number(analysis?.costMicros ?? 0n),
    reservation_id: payment?.reservationId ?? null,
    generation: payment?.token.generation ?? null,
    timeline: payment?.token.walTimeline ?? null,
  };
}

function toOutcome({ outcome, balanceMicros, balanceVersion }: FinishRow): FinishAnalysisOutcome {
  switch (outcome) {
    case 'gate_stale':
    case 'voided':
      return { kind: outcome };
    case 'finished':
    case 'fenced':
      return {
        kind: outcome,
        balance: { balanceMicros: micros(balanceMicros), balanceVersion: Number(balanceVersion) },
      };
    default:
      return unreachable(outcome);
  }
}
