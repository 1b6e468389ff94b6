import { CALLS_OF_A_CLAIM, claimInTurns } from '../../load/claims.ts';
import { median, type Figure } from '../../report.ts';
import type { BenchAccount } from '../../seed.ts';
import { freeNumber, type Lists } from '../../suppressions/entries.ts';

/** What a claim takes with so many numbers on the lists, against none. */
export async function measureClaims(lists: Lists, account: BenchAccount): Promise<Figure> {
  const callee = () => ({ number: freeNumber(lists.entries) });
  const [many, none] = await claimInTurns([lists.many.databaseUrl, lists.none.databaseUrl], { account, callee });
  return {
    name: `a claim of ${CALLS_OF_A_CLAIM} calls with 10 million suppressions against none`,
    value: median(many.map((tookMs, sample) => tookMs / (none[sample] ?? NaN))),
    unit: '×',
    goal: { atMost: 1.1 },
    absolute: { '10M ms': median(many), 'none ms': median(none) },
  };
}
