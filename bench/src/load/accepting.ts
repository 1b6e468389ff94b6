import { startSubprocess } from '../processes.ts';
import { apiEnvironment, createsLoad, untilReady, WARM_UP_SECONDS } from '../scenarios/creates.ts';
import type { BenchAccount } from '../seed.ts';
import { query, type StageStores } from '../stage.ts';
import { createLoad } from './http-load.ts';

const ROUNDS = 3;

export interface AcceptingOptions {
  readonly account: BenchAccount;
  readonly port: number;
  /** That the next request calls. */
  readonly number: () => string;
  readonly say: (text: string) => void;
}

/** One API process for each of two stores, which take turns. @returns the accepted calls per second of each round */
export async function acceptInTurns(
  stores: readonly [StageStores, StageStores],
  options: AcceptingOptions,
): Promise<readonly [readonly number[], readonly number[]]> {
  const rates: [number[], number[]] = [[], []];
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const nth of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const))
      rates[nth].push(await acceptedPerSecond(stores[nth], options));
    const [first, second] = rates.map((each) => Math.round(each.at(-1) ?? NaN));
    options.say(`round ${round}: ${first} accepted/s, ${second}/s without`);
  }
  return rates;
}

async function acceptedPerSecond(stores: StageStores, { account, port, number }: AcceptingOptions): Promise<number> {
  await query(stores.databaseUrl, 'TRUNCATE calls, call_events, reservations, ledger_entries CASCADE');
  const api = await startSubprocess({
    entry: 'apps/api/src/main.ts',
    env: apiEnvironment(stores, port),
    ready: () => untilReady(port),
  });
  try {
    const { body: _one, ...rest } = createsLoad({ port, ...account });
    const bodyOf = () => JSON.stringify({ to_number: number(), agent_id: account.agentId });
    const load = { ...rest, body: bodyOf() };
    await createLoad({ ...load, bodyOf, seconds: WARM_UP_SECONDS });
    const { acceptedPerSecond: rate, refused } = await createLoad({ ...load, bodyOf });
    if (refused > 0) throw new Error(`${refused} requests were rejected: the figure is invalid`);
    return rate;
  } finally {
    await api.stop();
  }
}
