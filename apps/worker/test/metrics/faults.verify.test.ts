import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { killChildWorkers, startChildWorker } from '../child-worker.ts';
import { QUICK_LEASES, QUICK_LOOPS } from '../quick-timings.ts';
import { metricsUrlOf, scrape, scrapeUntil, type Scrape } from '../scrape.ts';
import { openStage, type Stage } from '../stage.ts';

const SILENT = '+12025550108';
const TALKS = '+12025550100';
const HOLDS = '{outdial}:holds';
const REAL_TIME = { OUTDIAL_SIMULATED_MEDIA: 'off', OUTDIAL_SIMULATED_SPEED: '1' };
const ONE_AT_ONCE = { ...REAL_TIME, OUTDIAL_WORKER_CONCURRENCY: '1' };
const WITH_SOUND = { OUTDIAL_SIMULATED_SPEED: '20' };
/** No server listens on this port. */
const NO_BUCKET = {
  ...WITH_SOUND,
  OUTDIAL_RECORDINGS: 's3',
  OUTDIAL_S3_BUCKET: 'recordings',
  OUTDIAL_S3_ENDPOINT: 'http://127.0.0.1:9',
};
const CREDENTIALS = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'];

const findings = (kind: string) => ['outdial_reconcile_findings_total', `kind="${kind}"`] as const;
const drift = (kind: string) => ['outdial_gate_drift', `kind="${kind}"`] as const;

/** The gate is compared beside the scrapes. */
const isComplete = (scraped: Scrape) =>
  scraped.value('outdial_gate_open') === 1 && scraped.value(...drift('call_not_held')) !== undefined;

let stage: Stage;
let ownFolder: string;
beforeAll(async () => {
  stage = await openStage();
});
beforeEach(async () => {
  ownFolder = await mkdtemp(join(tmpdir(), 'outdial-worker-'));
});
afterEach(async () => {
  killChildWorkers();
  await stage.stopWorkers();
  vi.unstubAllEnvs();
  await rm(ownFolder, { recursive: true, force: true });
});
afterAll(() => stage.close());

/** The lease has expired by Postgres's clock. */
const expireLease = (callId: string) =>
  stage.database.side.$executeRaw`UPDATE calls SET lease_expires_at = now() WHERE id = ${callId}::uuid`;

test('drift is reported while it lasts: holds without a call, calls without a hold', async () => {
  const worker = await stage.startWorker(REAL_TIME, QUICK_LOOPS);
  const callId = await stage.place(SILENT);
  await stage.until(callId, 'in_progress');
  const hold = await stage.redis.hget(HOLDS, callId);
  expect(hold).not.toBeNull();
  await stage.redis.hdel(HOLDS, callId);
  await scrapeUntil(worker, (metrics) => metrics.value(...drift('call_not_held')) === 1);
  await stage.redis.hset(HOLDS, callId, hold ?? '');
  await scrapeUntil(worker, (metrics) => metrics.value(...drift('call_not_held')) === 0);
  const stray = randomUUID();
  const strayHold = async (ageMs: number) => {
    const [seconds = 0] = await stage.redis.time();
    const sinceMs = seconds * 1_000 - ageMs;
    await stage.redis.hset(HOLDS, stray, `${stage.accountId} ${randomUUID()} 1000 ${sinceMs}`);
  };
  await strayHold(0);
  await scrapeUntil(worker, (metrics) => metrics.value(...drift('hold_without_call')) === 1);
  // Older than any attempt to accept takes: reconciling releases it.
  await strayHold(60_000);
  await scrapeUntil(worker, (metrics) => metrics.value(...findings('hold_without_call')) === 1);
  await scrapeUntil(worker, (metrics) => metrics.value(...drift('hold_without_call')) === 0);
  await stage.end(callId);
  await stage.untilEnded(callId);
  // The gate's sums never counted the hold that it released.
  await stage.stopWorkers();
  await stage.redis.del('{outdial}:gate');
  await stage.rebuild();
});

test('the calls of a killed worker are reported as orphaned, then found, then ended worker_lost', async () => {
  const doomed = startChildWorker(stage.environment(REAL_TIME), QUICK_LEASES);
  const callId = await stage.place(SILENT);
  await stage.until(callId, 'in_progress');
  doomed.signal('SIGKILL');
  await doomed.exited();
  const worker = await stage.startWorker(REAL_TIME, QUICK_LEASES);
  expect((await scrape(worker)).value('outdial_open_calls', 'status="in_progress"')).toBe(1);
  await expireLease(callId);
  await scrapeUntil(worker, (metrics) => metrics.value(...findings('orphaned_call')) === 1);
  await scrapeUntil(worker, (metrics) => metrics.value('outdial_calls_ended_total', 'reason="worker_lost"') === 1);
});

test('a worker that hangs up because another worker has taken its call reports a lost lease', async () => {
  const worker = await stage.startWorker(REAL_TIME, QUICK_LEASES);
  const callId = await stage.place(SILENT);
  await stage.until(callId, 'in_progress');
  await stage.database.side.$executeRaw`UPDATE calls SET epoch = epoch + 1 WHERE id = ${callId}::uuid`;
  await scrapeUntil(worker, (metrics) => metrics.value('outdial_leases_lost_total', 'cause="fenced"') === 1);
  const after = await scrapeUntil(worker, (metrics) => metrics.value('outdial_worker_live_calls') === 0);
  expect(after.value('outdial_leases_lost_total', 'cause="fenced"')).toBe(1);
  await expireLease(callId);
  await stage.untilEnded(callId);
});

test('waiting calls raise the age of the oldest queued call; a job that Redis lost is found', async () => {
  const worker = await stage.startWorker(ONE_AT_ONCE, QUICK_LOOPS);
  const live = await stage.place(SILENT);
  await stage.until(live, 'in_progress');
  const waiting = await stage.place(SILENT);
  await scrapeUntil(worker, (metrics) => (metrics.value('outdial_oldest_queued_call_seconds') ?? 0) > 1);
  expect((await scrape(worker)).value('outdial_worker_live_calls')).toBe(1);
  const [job] = await stage.redis.keys(`*outdial-queue*${waiting}`);
  expect(job).toBeDefined();
  await stage.redis.del(...(await stage.redis.keys('{outdial-queue}*')));
  // Old enough to be considered missing.
  await stage.database.side.$executeRaw`
    UPDATE calls SET created_at = created_at - interval '15 seconds' WHERE id = ${waiting}::uuid`;
  await scrapeUntil(worker, (metrics) => (metrics.value(...findings('lost_job')) ?? 0) > 0);
  await stage.end(live);
  await stage.until(waiting, 'in_progress');
  await scrapeUntil(worker, (metrics) => metrics.value('outdial_oldest_queued_call_seconds') === 0);
  await stage.end(waiting);
  await stage.untilEnded(waiting);
});

test('a stalled process reports the delay of its event loop', async () => {
  const child = startChildWorker(stage.environment({ ...REAL_TIME, WORKER_METRICS_PORT: '0' }));
  const url = await metricsUrlOf(child);
  let metrics = await scrape(url);
  do {
    child.signal('SIGSTOP');
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    child.signal('SIGCONT');
    // A scrape restarts the measurement at the loop's next turn: a stall before that turn is not measured.
    metrics = await scrape(url);
  } while ((metrics.value('nodejs_eventloop_lag_max_seconds') ?? 0) <= 1);
  expect(metrics.value('nodejs_eventloop_lag_p99_seconds')).toBeDefined();
});

test('recordings that cannot be written are reported as missing', async () => {
  await writeFile(join(ownFolder, 'recordings'), 'no folder');
  const worker = await stage.startWorker({ ...WITH_SOUND, OUTDIAL_DATA_DIR: ownFolder }, QUICK_LOOPS);
  await stage.untilEnded(await stage.place(TALKS));
  const countOf = async (status: string) =>
    (await scrape(worker)).value('outdial_recordings_total', `status="${status}"`);
  await expect.poll(() => countOf('none')).toBe(1);
  expect(await countOf('available')).toBe(0);
});

test('each failed upload attempt is reported', async () => {
  for (const name of CREDENTIALS) vi.stubEnv(name, 'test');
  const worker = await stage.startWorker({ ...NO_BUCKET, OUTDIAL_DATA_DIR: ownFolder }, QUICK_LOOPS);
  await stage.untilEnded(await stage.place(TALKS));
  expect((await scrape(worker)).value('outdial_recordings_total', 'status="pending"')).toBe(1);
  await scrapeUntil(
    worker,
    (metrics) => (metrics.value('outdial_recording_uploads_total', 'outcome="failed"') ?? 0) > 1,
  );
});

test('more calls, numbers and accounts add no series, and no series names any of them', async () => {
  const worker = await stage.startWorker(WITH_SOUND, QUICK_LOOPS);
  await stage.untilEnded(await stage.place(TALKS));
  const before = await scrapeUntil(worker, isComplete);
  const numbers = ['+12025550101', '+12025550104', '+12025550105', '+12025550177', TALKS];
  const callIds = await Promise.all(numbers.map((number) => stage.place(number)));
  const live = await scrapeUntil(worker, (metrics) => (metrics.value('outdial_queue_wait_seconds_count') ?? 0) > 1);
  for (const callId of callIds) await stage.untilEnded(callId);
  const own = ({ series }: typeof before) =>
    series.filter((name) => name.startsWith('outdial_') && !name.includes('currency='));
  expect(own(live).toSorted()).toEqual(own(before).toSorted());
  expect(own(await scrape(worker)).toSorted()).toEqual(own(before).toSorted());
  for (const { text } of [before, live]) {
    expect(text).not.toMatch(/\+?1202555\d{4}/);
    expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
  }
});
