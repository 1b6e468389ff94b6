import { setTimeout as sleep } from 'node:timers/promises';
import { privateRedis } from '@outdial/testkit';
import { percentile, type Figure } from '../../report.ts';
import { addAccounts, addScheduledCalls } from '../../schedules/scheduled-calls.ts';
import { copyOfSubject, query, type Stage, type StageStores } from '../../stage.ts';
import { startWorker } from '../../worker.ts';

const ACCOUNTS = 50;
const PER_SECOND_EACH = 10;
const SECONDS = 20;
const WARM_UP_SECONDS = 3;
/** Until the first call is due. */
const LEAD_MS = 2_000;
/** What is not admitted by then counts as late as this. */
const GIVE_UP_MS = 60_000;

/** From the time of a call to its place in the queue, with many accounts that have free slots. */
export async function measureLateness(stage: Stage, say: (text: string) => void): Promise<Figure[]> {
  const redis = await privateRedis();
  const stores = { redisUrl: redis.url, databaseUrl: await copyOfSubject(stage, 'bench_schedules_lateness') };
  try {
    const lateMs = await latenessOf(stores);
    const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => percentile(lateMs, share));
    say(`${lateMs.length} calls at ${ACCOUNTS * PER_SECOND_EACH}/s: p50 ${p50} ms, p95 ${p95} ms, p99 ${p99} ms`);
    return [
      {
        name: `due to queued, p95, ${ACCOUNTS} accounts × ${PER_SECOND_EACH} calls/s`,
        value: p95 ?? NaN,
        unit: 'ms',
        goal: { atMost: 500 },
        absolute: { 'p50 ms': p50 ?? NaN, 'p99 ms': p99 ?? NaN },
      },
    ];
  } finally {
    await redis.close();
  }
}

async function latenessOf(stores: StageStores): Promise<readonly number[]> {
  const { databaseUrl } = stores;
  const perAccount = (WARM_UP_SECONDS + SECONDS) * PER_SECOND_EACH;
  const accounts = await addAccounts(databaseUrl, { count: ACCOUNTS, capacity: perAccount + 100 });
  // With this role alone no call leaves the queue.
  const worker = await startWorker(stores, { OUTDIAL_WORKER_ROLES: 'campaigns' });
  try {
    const firstDueAt = new Date(Date.now() + LEAD_MS);
    await addScheduledCalls(databaseUrl, accounts, { count: perAccount, firstDueAt, everyMs: 1_000 / PER_SECOND_EACH });
    await sleep(LEAD_MS + (WARM_UP_SECONDS + SECONDS) * 1_000);
    return await measured(databaseUrl, new Date(firstDueAt.getTime() + WARM_UP_SECONDS * 1_000));
  } finally {
    await worker.stop();
  }
}

/** Of the calls that are due from then on. */
async function measured(databaseUrl: string, from: Date): Promise<readonly number[]> {
  const deadlineMs = performance.now() + GIVE_UP_MS;
  for (;;) {
    const rows = await query<{ ms: number | null }>(
      databaseUrl,
      `SELECT (extract(epoch FROM c.queued_at - s.due_at) * 1000)::float8 AS ms
       FROM call_schedules s JOIN calls c ON c.id = s.call_id WHERE s.due_at >= $1`,
      [from],
    );
    if (rows.every(({ ms }) => ms !== null) || performance.now() > deadlineMs)
      return rows.map(({ ms }) => ms ?? GIVE_UP_MS);
    await sleep(200);
  }
}
