import { median, type Figure } from '../report.ts';
import type { BenchAccount } from '../seed.ts';
import type { Stage } from '../stage.ts';
import { latency, PROBES } from './history/probes.ts';
import { measureRetention } from './history/retention.ts';
import { openHistory } from './history/site.ts';
import { measureTotals } from './history/totals.ts';

const SMALL = 10_000;
const LARGE = 1_000_000;
const ROUNDS = 3;

/**
 * Latencies with ten thousand and with a million stored calls, for the account that owns most of them and for a small
 * one; then while a worker deletes old calls of that million.
 */
export async function measureHistory(
  stage: Stage,
  account: BenchAccount,
  say: (text: string) => void,
): Promise<Figure[]> {
  say(`storing ${SMALL} and ${LARGE} calls`);
  const small = await openHistory(stage, account, { calls: SMALL, port: 21_330, redisDatabase: 1 });
  const large = await openHistory(stage, account, { calls: LARGE, port: 21_331, redisDatabase: 2 });
  try {
    const figures: Figure[] = [];
    for (const owner of ['large', 'small'] as const) {
      for (const probe of PROBES) {
        const samples = { small: [] as number[], large: [] as number[] };
        for (let round = 0; round < ROUNDS; round += 1) {
          samples.small.push(await latency(probe, small.sites[owner]));
          samples.large.push(await latency(probe, large.sites[owner]));
        }
        figures.push({
          name: `${probe.name}, ${owner} account: 1 million against 10 thousand stored calls`,
          value: median(samples.large.map((ms, round) => ms / (samples.small[round] ?? NaN))),
          unit: '×',
          goal: { atMost: 1.2 },
          absolute: { '1M ms': median(samples.large), '10k ms': median(samples.small) },
        });
      }
    }
    say('adding the stored calls to the totals');
    const { someNumber } = large.sites.large.history;
    const { databaseUrl } = large.stores;
    figures.push(...(await measureTotals(databaseUrl, { accountId: account.accountId, someNumber })));
    // The last one: it deletes what the others read.
    say('deleting old calls');
    figures.push(...(await measureRetention(large)));
    return figures;
  } finally {
    await small.close();
    await large.close();
  }
}
