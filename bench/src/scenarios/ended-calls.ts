import { createCalls } from '../load/create-calls.ts';
import { startSubprocess, type Subprocess } from '../processes.ts';
import { median, type Figure } from '../report.ts';
import type { BenchAccount } from '../seed.ts';
import { query, type Stage, type StageStores } from '../stage.ts';
import { apiEnvironment, controlEnvironment, POOL_SIZE, untilReady } from './creates.ts';

const CALLS = 3_000;
const ROUNDS = 3;
/** Answers and hangs up after three seconds, which the compressed time turns into three milliseconds. */
export const QUICK_NUMBER = '+12025550105';

const contenders = ['control', 'subject'] as const;
type Contender = (typeof contenders)[number];

/** Zero-length calls through one worker: queued, dialing, ringing, in progress, ended, and settled. */
export async function measureEndedCalls(
  stage: Stage,
  account: BenchAccount,
  say: (text: string) => void,
): Promise<Figure[]> {
  const results: Record<Contender, number[]> = { control: [], subject: [] };
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const contender of contenders) {
      const perSecond = await endedPerSecond(contender, stage, account);
      results[contender].push(perSecond);
      say(`round ${round}, ${contender}: ${Math.round(perSecond)} calls ended/s`);
    }
  }
  return [
    {
      name: 'zero-length simulated calls ended/s, one worker',
      value: median(results.subject.map((perSecond, round) => perSecond / (results.control[round] ?? NaN))),
      unit: '× control',
      goal: { atLeast: 2 },
      absolute: { 'subject/s': median(results.subject), 'control/s': median(results.control) },
    },
  ];
}

/** Of calls that are queued before the worker starts. */
export async function endedPerSecond(contender: Contender, stage: Stage, account: BenchAccount): Promise<number> {
  const stores = stage[contender];
  await fillQueue(contender, stores, account);
  return drainQueue(contender, stores);
}

async function fillQueue(contender: Contender, stores: StageStores, account: BenchAccount): Promise<void> {
  await query(stores.databaseUrl, 'TRUNCATE calls, call_events, reservations, ledger_entries CASCADE');
  const port = 21_310;
  const server =
    contender === 'control'
      ? await startSubprocess({ entry: 'bench/src/control/create-server.ts', env: controlEnvironment(stores, port) })
      : await startSubprocess({
          entry: 'apps/api/src/main.ts',
          env: apiEnvironment(stores, port),
          ready: () => untilReady(port),
        });
  try {
    const baseUrl = `http://127.0.0.1:${port}`;
    await createCalls({
      baseUrl,
      apiKey: account.apiKey,
      agentId: account.agentId,
      toNumber: QUICK_NUMBER,
      count: CALLS,
    });
  } finally {
    await server.stop();
  }
}

/** Calls ended per second between the tenth and the ninetieth percentile of them: without start-up and tail. */
async function drainQueue(contender: Contender, stores: StageStores): Promise<number> {
  const worker = await startWorker(contender, stores);
  try {
    const early = await untilEnded(stores, CALLS * 0.1);
    const late = await untilEnded(stores, CALLS * 0.9);
    await untilEnded(stores, CALLS);
    return ((late.ended - early.ended) * 1_000) / (late.atMs - early.atMs);
  } finally {
    await worker.stop();
  }
}

export async function untilEnded(stores: StageStores, count: number): Promise<{ ended: number; atMs: number }> {
  for (;;) {
    const [row] = await query<{ ended: number }>(
      stores.databaseUrl,
      `SELECT count(*)::int AS ended FROM calls WHERE status = 'ended'`,
    );
    if (row && row.ended >= count) return { ended: row.ended, atMs: performance.now() };
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function startWorker(contender: Contender, stores: StageStores): Promise<Subprocess> {
  if (contender === 'control') {
    return startSubprocess({ entry: 'bench/src/control/worker.ts', env: controlEnvironment(stores, 1) });
  }
  return startSubprocess({
    entry: 'apps/worker/src/main.ts',
    env: workerEnvironment(stores, 100),
    ready: async () => {},
  });
}

/** The simulated carrier without sound, with time compressed a thousandfold. */
export function workerEnvironment(stores: StageStores, concurrency: number, speed = 1_000): Record<string, string> {
  return {
    REDIS_URL: stores.redisUrl,
    DATABASE_URL: stores.databaseUrl,
    OUTDIAL_CARRIER: 'simulated',
    OUTDIAL_SIMULATED_SPEED: String(speed),
    OUTDIAL_SIMULATED_MEDIA: 'off',
    OUTDIAL_WORKER_CONCURRENCY: String(concurrency),
    OUTDIAL_DATABASE_POOL: String(POOL_SIZE),
    OUTDIAL_DRAIN_SECONDS: '5',
  };
}
