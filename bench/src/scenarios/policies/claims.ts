import { calleePlace } from '@outdial/policies';
import { CALLS_OF_A_CLAIM, claimInTurns } from '../../load/claims.ts';
import { anyNumber, type PolicyPair } from '../../policies/policies.ts';
import { median, type Figure } from '../../report.ts';
import type { BenchAccount } from '../../seed.ts';

function callee() {
  const number = anyNumber();
  const { zones, regions } = calleePlace(number, null);
  return { number, zones, regions };
}

/** Claims per second under the `us` policy, against none. */
export async function measureClaims({ us, none }: PolicyPair, account: BenchAccount): Promise<Figure> {
  const [policed, free] = await claimInTurns([us.databaseUrl, none.databaseUrl], { account, callee });
  return {
    name: `claims/s of ${CALLS_OF_A_CLAIM} calls at a time under the us policy against none`,
    value: median(policed.map((tookMs, sample) => (free[sample] ?? NaN) / tookMs)),
    unit: '×',
    goal: { atLeast: 0.85 },
    absolute: { 'us ms': median(policed), 'none ms': median(free) },
  };
}
