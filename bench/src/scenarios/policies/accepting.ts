import { acceptInTurns } from '../../load/accepting.ts';
import { anyNumber, type PolicyPair } from '../../policies/policies.ts';
import { median, type Figure } from '../../report.ts';
import type { BenchAccount } from '../../seed.ts';

const PORT = 21_352;

/** One API process that accepts calls to other numbers each time, under the `us` policy, against none. */
export async function measureAccepting(
  { us, none }: PolicyPair,
  account: BenchAccount,
  say: (text: string) => void,
): Promise<Figure> {
  const [policed, free] = await acceptInTurns([us, none], { account, port: PORT, number: anyNumber, say });
  return {
    name: 'accepted creates/s under the us policy against none',
    value: median(policed.map((rate, round) => rate / (free[round] ?? NaN))),
    unit: '×',
    goal: { atLeast: 0.8 },
    absolute: { 'us/s': median(policed), 'none/s': median(free) },
  };
}
