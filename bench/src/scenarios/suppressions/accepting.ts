import { createLoad } from '../../load/http-load.ts';
import { startSubprocess } from '../../processes.ts';
import { median, type Figure } from '../../report.ts';
import type { BenchAccount } from '../../seed.ts';
import { query, type StageStores } from '../../stage.ts';
import { freeNumber, type Lists } from '../../suppressions/entries.ts';
import { apiEnvironment, createsLoad, untilReady, WARM_UP_SECONDS } from '../creates.ts';

const ROUNDS = 3;
const PORT = 21_351;

/** One API process that accepts calls to other numbers each time, with so many numbers on the lists, against none. */
export async function measureAccepting(
  lists: Lists,
  account: BenchAccount,
  say: (text: string) => void,
): Promise<Figure> {
  const names = ['none', 'many'] as const;
  const rates: Record<(typeof names)[number], number[]> = { none: [], many: [] };
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed())
      rates[name].push(await acceptedPerSecond(lists[name], account, lists.entries));
    const [none, many] = names.map((name) => Math.round(rates[name].at(-1) ?? NaN));
    say(`round ${round}: ${many} accepted/s with 10 million suppressions, ${none}/s without`);
  }
  return {
    name: 'accepted creates/s with 10 million suppressions against none',
    value: median(rates.many.map((rate, round) => rate / (rates.none[round] ?? NaN))),
    unit: '×',
    goal: { atLeast: 0.95 },
    absolute: { '10M/s': median(rates.many), 'none/s': median(rates.none) },
  };
}

async function acceptedPerSecond(stores: StageStores, account: BenchAccount, entries: number): Promise<number> {
  await query(stores.databaseUrl, 'TRUNCATE calls, call_events, reservations, ledger_entries CASCADE');
  const api = await startSubprocess({
    entry: 'apps/api/src/main.ts',
    env: apiEnvironment(stores, PORT),
    ready: () => untilReady(PORT),
  });
  try {
    const { body: _one, ...rest } = createsLoad({ port: PORT, ...account });
    const bodyOf = () => JSON.stringify({ to_number: freeNumber(entries), agent_id: account.agentId });
    const load = { ...rest, body: bodyOf() };
    await createLoad({ ...load, bodyOf, seconds: WARM_UP_SECONDS });
    const { acceptedPerSecond: rate, refused } = await createLoad({ ...load, bodyOf });
    if (refused > 0) throw new Error(`${refused} requests were rejected: the figure is invalid`);
    return rate;
  } finally {
    await api.stop();
  }
}
