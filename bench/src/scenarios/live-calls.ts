import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { createCalls } from '../load/create-calls.ts';
import { startSubprocess, type Subprocess } from '../processes.ts';
import type { Figure } from '../report.ts';
import type { BenchAccount } from '../seed.ts';
import { query, withRedis, type Stage, type StageStores } from '../stage.ts';
import { apiEnvironment, untilReady } from './creates.ts';
import { workerEnvironment } from './ended-calls.ts';

const CALLS = 5_000;
/** Longer than a lock, a lease and their renewals. */
const HOLD_SECONDS = 75;
/** Answers and stays silent: without sound it does not hang up. */
const LIVE_NUMBER = '+12025550108';

const measurementSchema = z.object({ heapBytes: z.number(), rssBytes: z.number(), delayP99Ms: z.number() });

/** Many live calls in one worker without frames: the cost of a call that merely lasts. */
export async function measureLiveCalls(
  stage: Stage,
  account: BenchAccount,
  say: (text: string) => void,
): Promise<Figure[]> {
  const stores = stage.subject;
  await query(stores.databaseUrl, 'TRUNCATE calls, call_events, reservations, ledger_entries CASCADE');
  const port = 21_320;
  const api = await startSubprocess({
    entry: 'apps/api/src/main.ts',
    env: apiEnvironment(stores, port),
    ready: () => untilReady(port),
  });
  const worker = await startSubprocess({
    entry: 'apps/worker/src/main.ts',
    env: workerEnvironment(stores, CALLS, 1),
    preload: 'bench/src/probe.ts',
    ready: () => sleep(3_000),
  });
  try {
    const before = await measure(worker);
    const baseUrl = `http://127.0.0.1:${port}`;
    await createCalls({
      baseUrl,
      apiKey: account.apiKey,
      agentId: account.agentId,
      toNumber: LIVE_NUMBER,
      count: CALLS,
    });
    await untilLive(stores);
    say(`${CALLS} calls are live, holding them for ${HOLD_SECONDS} s`);
    worker.send('reset');
    await sleep(HOLD_SECONDS * 1_000);
    const during = await measure(worker);
    const lost = await lostLocks(stores);
    const perCall = (during.heapBytes - before.heapBytes) / CALLS / 1_024;
    const name = `${CALLS} live simulated calls in one worker`;
    return [
      {
        name: `${name}: lost locks and leases`,
        value: lost,
        unit: '',
        goal: { atMost: 0 },
        absolute: { calls: CALLS },
      },
      {
        name: `${name}: event-loop p99 delay`,
        value: during.delayP99Ms,
        unit: 'ms',
        goal: { atMost: 50 },
        absolute: { seconds: HOLD_SECONDS },
      },
      {
        name: `${name}: memory per call`,
        value: perCall,
        unit: 'KB',
        goal: { atMost: 40 },
        absolute: { 'heap MB': during.heapBytes / 1_048_576, 'rss MB': during.rssBytes / 1_048_576 },
      },
    ];
  } finally {
    await worker.stop();
    await api.stop();
  }
}

function measure(worker: Subprocess): Promise<z.output<typeof measurementSchema>> {
  return new Promise((resolve) => {
    const ignore = worker.onMessage((message) => {
      const measurement = measurementSchema.safeParse(message);
      if (!measurement.success) return;
      ignore();
      resolve(measurement.data);
    });
    worker.send('measure');
  });
}

async function untilLive(stores: StageStores): Promise<void> {
  for (;;) {
    const [row] = await query<{ live: number }>(
      stores.databaseUrl,
      `SELECT count(*)::int AS live FROM calls WHERE status = 'in_progress'`,
    );
    if (row?.live === CALLS) return;
    await sleep(200);
  }
}

/** Calls that are no longer driven by their first claim, and jobs that BullMQ reported as stalled. */
async function lostLocks(stores: StageStores): Promise<number> {
  const [row] = await query<{ lost: number }>(
    stores.databaseUrl,
    `SELECT count(*) FILTER (WHERE epoch <> 1 OR status <> 'in_progress')::int AS lost FROM calls`,
  );
  const stalled = await withRedis(stores.redisUrl, async (redis) => {
    const keys = await redis.keys('*:events');
    const counts = await Promise.all(
      keys.map(async (key) => {
        const entries = await redis.xrange(key, '-', '+');
        return entries.filter(([, fields]) => fields.includes('stalled')).length;
      }),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  });
  return (row?.lost ?? CALLS) + stalled;
}
