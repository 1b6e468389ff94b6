import { freePort } from '@outdial/testkit';
import { peakMemory, resetPeakMemory } from '../campaigns/peak-memory.ts';
import { startSubprocess, type Subprocess } from '../processes.ts';
import { median, type Figure } from '../report.ts';
import type { BenchAccount } from '../seed.ts';
import { copyOfSubject, query, withRedis, type Stage, type StageStores } from '../stage.ts';
import { SIMULATED_CALLS, startWorker } from '../worker.ts';
import { apiEnvironment, untilReady } from './creates.ts';

const CALLS = 100_000;
const READS = 60;
const SCRAPES = 5;
/** Scrapes closer together share a reading. */
const FRESH_MS = 5_500;
/** On a busy machine the first comparison takes a minute. */
const SHOWN_WITHIN_MS = 300_000;
const HOLDS = '{outdial}:holds';
const MEGABYTE = 1_000_000;

const pauseMs = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** What operators and clients read while a hundred thousand calls of one account wait for a worker. */
export async function measureWaiting(
  stage: Stage,
  account: BenchAccount,
  say: (text: string) => void,
): Promise<Figure[]> {
  say(`storing ${CALLS} calls that wait`);
  const redisUrl = new URL(stage.subject.redisUrl);
  redisUrl.pathname = '/3';
  const databaseUrl = await copyOfSubject(stage, 'bench_waiting');
  const stores = { redisUrl: redisUrl.href, databaseUrl };
  await storeWaitingCalls(stores.databaseUrl, account);
  const [apiPort, apiMetrics, workerMetrics] = [await freePort(), await freePort(), await freePort()];
  // It rebuilds the gate and takes no call, since dialing is paused.
  const worker = await startWorker(stores, { ...SIMULATED_CALLS, WORKER_METRICS_PORT: String(workerMetrics) });
  const env = { ...apiEnvironment(stores, apiPort), METRICS_PORT: String(apiMetrics) };
  const api = await startSubprocess({ entry: 'apps/api/src/main.ts', env, ready: () => untilReady(apiPort) });
  try {
    await untilShown(workerMetrics, 'outdial_gate_open 1');
    const read = (path: string) => timesOf(`http://127.0.0.1:${apiPort}/api/v1${path}`, account.apiKey);
    say('reading as clients');
    const figures = [
      atMost('GET /account', await read('/account'), 20),
      atMost('list of calls', await read('/outbound/calls?limit=50'), 50),
      atMost('list of queued calls', await read('/outbound/calls?limit=50&status=queued'), 50),
    ];
    // The first comparison of the gate with Postgres follows its rebuild: neither has to do with a scrape.
    await untilShown(workerMetrics, 'outdial_gate_drift{kind="call_not_held"} 0');
    for (const [name, process, port] of [
      ['worker', worker, workerMetrics],
      ['API', api, apiMetrics],
    ] as const) {
      say(`scraping the ${name}`);
      figures.push(...(await measureScrapes(name, process, port)));
    }
    say('losing a hold');
    figures.push(await measureDrift(stores, workerMetrics));
    return figures;
  } finally {
    await Promise.all([api.stop(), worker.stop()]);
  }
}

function atMost(name: string, samples: readonly number[], goalMs: number): Figure {
  return {
    name: `${name}, ${CALLS} calls wait`,
    value: median(samples),
    unit: 'ms',
    goal: { atMost: goalMs },
    absolute: { 'most ms': Math.max(...samples) },
  };
}

async function storeWaitingCalls(databaseUrl: string, { accountId, agentId }: BenchAccount): Promise<void> {
  await query(databaseUrl, 'TRUNCATE calls, call_events, reservations, ledger_entries CASCADE');
  await query(
    databaseUrl,
    `UPDATE system_settings SET dialling_paused = true, dialling_changed_at = now(), dialling_changed_by = 'bench'`,
  );
  await query(
    databaseUrl,
    `INSERT INTO calls (
       id, account_id, agent_id, agent_version, caller_number, callee_number, status, currency, rate_prefix,
       connection_fee_micros, price_per_minute_micros, initial_increment_seconds, increment_seconds, reservation_id,
       hold_micros, max_duration_seconds, ring_timeout_seconds, request_id, created_at, expires_at)
     SELECT gen_random_uuid(), $1, $2, 1, '+12025550199', '+1202' || (5550000 + i % 1000), 'queued', 'USD', '1', 0, 12000, 60, 60,
       gen_random_uuid(), 24000, 1800, 30, 'bench', now() - i * interval '1 ms', now() + interval '1 day'
     FROM generate_series(1, $3::int) AS i`,
    [accountId, agentId, CALLS],
  );
  await query(databaseUrl, 'VACUUM (ANALYZE) calls');
}

async function scrape(port: number): Promise<{ readonly text: string; readonly ms: number }> {
  const startedMs = performance.now();
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  return { text: await response.text(), ms: performance.now() - startedMs };
}

async function untilShown(port: number, sample: string): Promise<void> {
  const deadlineMs = performance.now() + SHOWN_WITHIN_MS;
  while (!(await scrape(port)).text.includes(`${sample}\n`)) {
    if (performance.now() > deadlineMs) throw new Error(`${sample} was not shown within ${SHOWN_WITHIN_MS / 1_000} s`);
    await pauseMs(FRESH_MS / 10);
  }
}

async function timesOf(url: string, apiKey: string): Promise<readonly number[]> {
  const samples: number[] = [];
  for (let read = 0; read < READS; read += 1) {
    const startedMs = performance.now();
    const response = await fetch(url, { headers: { 'x-api-key': apiKey } });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${url} was answered with ${response.status}`);
    samples.push(performance.now() - startedMs);
  }
  return samples.slice(READS / 6);
}

/** Each scrape reads the stores again. */
async function measureScrapes(name: string, { pid }: Subprocess, port: number): Promise<readonly Figure[]> {
  await scrape(port);
  await pauseMs(FRESH_MS);
  const before = await resetPeakMemory(pid);
  const samples: number[] = [];
  for (let count = 0; count < SCRAPES; count += 1) {
    const { text, ms } = await scrape(port);
    if (!text.includes(`outdial_open_calls{status="queued"} ${CALLS}\n`))
      throw new Error(`the ${name} does not report the calls that wait`);
    samples.push(ms);
    await pauseMs(FRESH_MS);
  }
  const growth = ((await peakMemory(pid)) - before) / MEGABYTE;
  return [
    atMost(`scrape of the ${name}`, samples, 150),
    {
      name: `memory of the ${name} beyond what it held before the scrapes, ${CALLS} calls wait`,
      value: growth,
      unit: 'MB',
      goal: { atMost: 60 },
      absolute: { 'before MB': before / MEGABYTE },
    },
  ];
}

/** From the loss of a hold in Redis until the metrics say so. */
async function measureDrift({ redisUrl }: StageStores, port: number): Promise<Figure> {
  await withRedis(redisUrl, async (redis) => {
    const [, [callId = '']] = await redis.hscan(HOLDS, '0', 'COUNT', 1);
    await redis.hdel(HOLDS, callId);
  });
  const startedMs = performance.now();
  while (!/outdial_gate_drift\{kind="call_not_held"\} [1-9]/.test((await scrape(port)).text)) {
    if (performance.now() > startedMs + SHOWN_WITHIN_MS) throw new Error('the lost hold was not reported as drift');
    await pauseMs(500);
  }
  return {
    name: `drift of the gate is known, ${CALLS} calls wait`,
    value: (performance.now() - startedMs) / 1_000,
    unit: 's',
    goal: { atMost: 60 },
    absolute: {},
  };
}
