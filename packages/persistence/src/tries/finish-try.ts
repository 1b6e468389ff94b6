import { micros } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import type { Database } from '../database.ts';
import type { FinishTry, FinishTryOutcome } from './try-store.ts';

interface FinishRow {
  readonly outcome: FinishTryOutcome['kind'];
  readonly balanceMicros: bigint;
  readonly balanceVersion: bigint;
}

export async function finishTry({ side }: Pick<Database, 'side'>, input: FinishTry): Promise<FinishTryOutcome> {
  const [row] = await side.$queryRaw<FinishRow[]>`
    SELECT outcome, balance_micros AS "balanceMicros", balance_version AS "balanceVersion"
    FROM finish_try(${JSON.stringify(toInput(input))}::jsonb)`;
  invariant(row, 'a try that a worker has claimed exists');
  const { outcome, balanceMicros, balanceVersion } = row;
  if (outcome === 'gate_stale') return { kind: outcome };
  return {
    kind: outcome,
    balance: { balanceMicros: micros(balanceMicros), balanceVersion: Number(balanceVersion) },
  };
}

function toInput({ tryId, lease, reason, usage, costMicros, token }: FinishTry) {
  return {
    id: tryId,
    lease,
    reason,
    usage,
    cost_micros: Number(costMicros),
    generation: token?.generation ?? null,
    timeline: token?.walTimeline ?? null,
  };
}
