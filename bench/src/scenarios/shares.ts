import { createCalls } from '../load/create-calls.ts';
import { startSubprocess, type Subprocess } from '../processes.ts';
import { median, type Figure } from '../report.ts';
import type { BenchAccount } from '../seed.ts';
import { query, type Stage } from '../stage.ts';
import { startWorker } from '../worker.ts';
import { apiEnvironment, untilReady } from './creates.ts';
import { QUICK_NUMBER, untilEnded, workerEnvironment } from './ended-calls.ts';

const WORKERS = 4;
const CALLS = 4_000;
const ROUNDS = 3;
const PORT = 21_311;
/** Calls at once in each worker: all workers hold a tenth of the calls, so each takes calls many times. */
const CONCURRENCY = 100;

/** How evenly workers share the calls of one queue, from which each takes as soon as it has room. */
export async function measureShares(
  stage: Stage,
  account: BenchAccount,
  say: (text: string) => void,
): Promise<Figure[]> {
  const stores = stage.subject;
  const deviations: number[] = [];
  const ofWorkers: Record<string, number> = {};
  for (let round = 1; round <= ROUNDS; round += 1) {
    await query(stores.databaseUrl, 'TRUNCATE calls, call_events, reservations, ledger_entries CASCADE');
    const api = await startSubprocess({
      entry: 'apps/api/src/main.ts',
      env: apiEnvironment(stores, PORT),
      ready: () => untilReady(PORT),
    });
    const workers: Subprocess[] = [];
    try {
      // All workers are ready before the first call.
      for (let nth = 0; nth < WORKERS; nth += 1)
        workers.push(await startWorker(stores, workerEnvironment(stores, CONCURRENCY)));
      await createCalls({
        baseUrl: `http://127.0.0.1:${PORT}`,
        apiKey: account.apiKey,
        agentId: account.agentId,
        toNumber: QUICK_NUMBER,
        count: CALLS,
      });
      await untilEnded(stores, CALLS);
      const shares = await sharesOf(stores.databaseUrl, workers);
      deviations.push(Math.max(...shares.map((share) => Math.abs(share * WORKERS - 1))) * 100);
      const texts = shares.map((share) => `${(share * 100).toFixed(1)} %`);
      say(`round ${round}: ${texts.join(', ')}`);
      for (const [index, share] of shares.entries()) ofWorkers[`worker ${index + 1} %, last round`] = share * 100;
    } finally {
      await Promise.all([api, ...workers].map((process) => process.stop()));
    }
  }
  return [
    {
      name: `${CALLS} calls: largest deviation of a worker's share from 1/${WORKERS}`,
      value: median(deviations),
      unit: '%',
      goal: { atMost: 20 },
      absolute: ofWorkers,
    },
  ];
}

async function sharesOf(databaseUrl: string, workers: readonly Subprocess[]): Promise<readonly number[]> {
  const rows = await query<{ pid: string; calls: number }>(
    databaseUrl,
    `SELECT split_part(worker_id, ':', 2) AS pid, count(*)::int AS calls FROM calls WHERE status = 'ended' GROUP BY 1`,
  );
  const byPid = new Map(rows.map(({ pid, calls }) => [pid, calls]));
  return workers.map(({ pid }) => (byPid.get(String(pid)) ?? 0) / CALLS);
}
