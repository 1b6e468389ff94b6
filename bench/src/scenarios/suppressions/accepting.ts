import { acceptInTurns } from '../../load/accepting.ts';
import { median, type Figure } from '../../report.ts';
import type { BenchAccount } from '../../seed.ts';
import { freeNumber, type Lists } from '../../suppressions/entries.ts';

const PORT = 21_351;

/** One API process that accepts calls to other numbers each time, with so many numbers on the lists, against none. */
export async function measureAccepting(
  lists: Lists,
  account: BenchAccount,
  say: (text: string) => void,
): Promise<Figure> {
  const number = () => freeNumber(lists.entries);
  const [many, none] = await acceptInTurns([lists.many, lists.none], { account, port: PORT, number, say });
  return {
    name: 'accepted creates/s with 10 million suppressions against none',
    value: median(many.map((rate, round) => rate / (none[round] ?? NaN))),
    unit: '×',
    goal: { atLeast: 0.95 },
    absolute: { '10M/s': median(many), 'none/s': median(none) },
  };
}
