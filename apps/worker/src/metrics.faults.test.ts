import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { meteredStages, type MeteredStages } from '../test/metered-stages.ts';
import { scrape, scrapeUntil } from '../test/scrape.ts';

// Processes are started, and readings are five seconds apart.
vi.setConfig({ testTimeout: 180_000 });

const SILENT = '+12025550108';
const TALKS = '+12025550100';
const HOLDS = '{outdial}:holds';
const ONE_AT_ONCE = {
  OUTDIAL_SIMULATED_MEDIA: 'off',
  OUTDIAL_SIMULATED_SPEED: '1',
  OUTDIAL_WORKER_CONCURRENCY: '1',
};
const WITH_SOUND = { OUTDIAL_SIMULATED_SPEED: '20' };
/** Nobody listens there. */
const NO_BUCKET = {
  ...WITH_SOUND,
  OUTDIAL_RECORDINGS: 's3',
  OUTDIAL_S3_BUCKET: 'recordings',
  OUTDIAL_S3_ENDPOINT: 'http://127.0.0.1:9',
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
};

const findings = (kind: string) => ['outdial_reconcile_findings_total', `kind="${kind}"`] as const;
const drift = (kind: string) => ['outdial_gate_drift', `kind="${kind}"`] as const;

let stages: MeteredStages;
beforeEach(() => {
  stages = meteredStages();
});
afterEach(() => stages.close());

test('drift is told while it lasts: holds of no call, calls without a hold', async () => {
  const stage = await stages.open();
  const { url } = await stages.startWorker(stage);
  const callId = await stage.place(SILENT);
  await stage.until(callId, 'in_progress');
  const hold = await stage.redis.hget(HOLDS, callId);
  expect(hold).not.toBeNull();
  await stage.redis.hdel(HOLDS, callId);
  await scrapeUntil(url, (told) => told.value(...drift('call_not_held')) === 1);
  await stage.redis.hset(HOLDS, callId, hold ?? '');
  await scrapeUntil(url, (told) => told.value(...drift('call_not_held')) === 0);
  const stray = randomUUID();
  const strayHold = async (ageMs: number) => {
    const [seconds = 0] = await stage.redis.time();
    const sinceMs = seconds * 1_000 - ageMs;
    await stage.redis.hset(HOLDS, stray, `${stage.accountId} ${randomUUID()} 1000 ${sinceMs}`);
  };
  await strayHold(0);
  await scrapeUntil(url, (told) => told.value(...drift('hold_without_call')) === 1);
  // Older than any attempt takes: reconciling gives it back.
  await strayHold(60_000);
  await scrapeUntil(url, (told) => told.value(...findings('hold_without_call')) === 1);
  await scrapeUntil(url, (told) => told.value(...drift('hold_without_call')) === 0);
  await stage.end(callId);
  await stage.untilEnded(callId);
});

test('a killed worker: its calls are told as orphaned, then found, then ended worker_lost', async () => {
  const stage = await stages.open();
  const { worker } = await stages.startWorker(stage);
  const callId = await stage.place(SILENT);
  await stage.until(callId, 'in_progress');
  worker.signal('SIGKILL');
  await worker.exited();
  const { url } = await stages.startWorker(stage);
  expect((await scrape(url)).value('outdial_open_calls', 'status="in_progress"')).toBe(1);
  // As a minute would.
  await stage.database.side.$executeRaw`UPDATE calls SET lease_expires_at = now() WHERE id = ${callId}::uuid`;
  await scrapeUntil(url, (told) => told.value(...findings('orphaned_call')) === 1);
  await scrapeUntil(url, (told) => told.value('outdial_calls_ended_total', 'reason="worker_lost"') === 1);
});

test('a call that another worker has taken is told as a lost lease by the one that hangs up', async () => {
  const stage = await stages.open();
  const { url } = await stages.startWorker(stage);
  const callId = await stage.place(SILENT);
  await stage.until(callId, 'in_progress');
  await stage.database.side.$executeRaw`UPDATE calls SET epoch = epoch + 1 WHERE id = ${callId}::uuid`;
  await scrapeUntil(url, (told) => told.value('outdial_leases_lost_total', 'cause="fenced"') === 1);
  const after = await scrapeUntil(url, (told) => told.value('outdial_worker_live_calls') === 0);
  expect(after.value('outdial_leases_lost_total', 'cause="fenced"')).toBe(1);
});

test('calls that wait for room make the oldest queued one older; a job that Redis lost is found', async () => {
  const stage = await stages.open();
  const { url } = await stages.startWorker(stage, ONE_AT_ONCE);
  const live = await stage.place(SILENT);
  await stage.until(live, 'in_progress');
  const waiting = await stage.place(SILENT);
  await scrapeUntil(url, (told) => (told.value('outdial_oldest_queued_call_seconds') ?? 0) > 5);
  expect((await scrape(url)).value('outdial_worker_live_calls')).toBe(1);
  const [job] = await stage.redis.keys(`*outdial-queue*${waiting}`);
  expect(job).toBeDefined();
  await stage.redis.del(...(await stage.redis.keys('{outdial-queue}*')));
  await scrapeUntil(url, (told) => (told.value(...findings('lost_job')) ?? 0) > 0);
  await stage.end(live);
  await stage.until(waiting, 'in_progress');
  await scrapeUntil(url, (told) => told.value('outdial_oldest_queued_call_seconds') === 0);
  await stage.end(waiting);
  await stage.untilEnded(waiting);
});

test('a process that stood still says so by the delay of its event loop', async () => {
  const stage = await stages.open();
  const { worker, url } = await stages.startWorker(stage);
  let told = await scrape(url);
  do {
    worker.signal('SIGSTOP');
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    worker.signal('SIGCONT');
    // A scrape begins the measurement anew, at the loop's next turn: stopped before that turn, it has nothing to tell.
    told = await scrape(url);
  } while ((told.value('nodejs_eventloop_lag_max_seconds') ?? 0) <= 1);
  expect(told.value('nodejs_eventloop_lag_p99_seconds')).toBeDefined();
});

test('recordings that cannot be written are told of as missing', async () => {
  const stage = await stages.open();
  const folder = join(stage.dataDir, 'recordings');
  await rm(folder, { recursive: true, force: true });
  await mkdir(stage.dataDir, { recursive: true });
  await writeFile(folder, 'no folder');
  const { url } = await stages.startWorker(stage, WITH_SOUND);
  await stage.untilEnded(await stage.place(TALKS));
  const told = await scrape(url);
  expect(told.value('outdial_recordings_total', 'status="none"')).toBe(1);
  expect(told.value('outdial_recordings_total', 'status="available"')).toBe(0);
});

test('uploads that fail are told of, each time that they are tried', async () => {
  const stage = await stages.open();
  const { url } = await stages.startWorker(stage, NO_BUCKET);
  await stage.untilEnded(await stage.place(TALKS));
  expect((await scrape(url)).value('outdial_recordings_total', 'status="pending"')).toBe(1);
  await scrapeUntil(url, (told) => (told.value('outdial_recording_uploads_total', 'outcome="failed"') ?? 0) > 1);
});

test('more calls, numbers and accounts make no more series, and no series names any of them', async () => {
  const stage = await stages.open();
  const { url } = await stages.startWorker(stage, WITH_SOUND);
  await stage.untilEnded(await stage.place(TALKS));
  const before = await scrapeUntil(url, (told) => told.value('outdial_gate_open') === 1);
  const numbers = ['+12025550101', '+12025550104', '+12025550105', '+12025550177', TALKS];
  const callIds = await Promise.all(numbers.map((number) => stage.place(number)));
  const live = await scrapeUntil(url, (told) => (told.value('outdial_queue_wait_seconds_count') ?? 0) > 1);
  for (const callId of callIds) await stage.untilEnded(callId);
  const own = ({ series }: typeof before) =>
    series.filter((name) => name.startsWith('outdial_') && !name.includes('currency='));
  expect(own(live).toSorted()).toEqual(own(before).toSorted());
  expect(own(await scrape(url)).toSorted()).toEqual(own(before).toSorted());
  for (const { text } of [before, live]) {
    expect(text).not.toMatch(/\+?1202555\d{4}/);
    expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
  }
});
