import { privatePostgres, privateRedis, type PrivateServer } from '@outdial/testkit';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { QUICK_LOOPS } from '../quick-timings.ts';
import { scrape, scrapeUntil } from '../scrape.ts';
import { openStage, type Stage } from '../stage.ts';

const SILENT = '+12025550108';
const REAL_TIME = { OUTDIAL_SIMULATED_MEDIA: 'off', OUTDIAL_SIMULATED_SPEED: '1' };

let redis: PrivateServer;
let postgres: PrivateServer;
let stage: Stage;
beforeAll(async () => {
  [redis, postgres] = await Promise.all([privateRedis(), privatePostgres()]);
  stage = await openStage({ stores: { redisUrl: redis.url, databaseUrl: postgres.url } });
});
afterEach(() => stage.stopWorkers());
afterAll(async () => {
  await stage.close();
  await Promise.all([redis.close(), postgres.close()]);
});

test('Redis away: a scrape still answers, names the store, and omits what it cannot know', async () => {
  const worker = await stage.startWorker(REAL_TIME, QUICK_LOOPS);
  await scrapeUntil(worker, (metrics) => metrics.value('outdial_gate_open') === 1);
  // Redis hangs: it neither fails nor answers.
  await redis.pause();
  const hung = await scrapeUntil(worker, (metrics) => metrics.value('outdial_reading_success', 'reading="gate"') === 0);
  expect(hung.value('outdial_gate_open')).toBeUndefined();
  expect(hung.value('outdial_slots_in_use')).toBeUndefined();
  expect(hung.value('outdial_open_calls', 'status="queued"')).toBe(0);
  await redis.resume();
  await redis.stop();
  await scrapeUntil(worker, (metrics) => metrics.value('outdial_store_away', 'store="redis"') === 1);
  await redis.start();
  const back = await scrapeUntil(worker, (metrics) => metrics.value('outdial_store_away', 'store="redis"') === 0);
  expect(back.value('outdial_store_outages_total', 'store="redis"')).toBeGreaterThan(0);
  await scrapeUntil(worker, (metrics) => metrics.value('outdial_gate_open') === 1);
});

test('Postgres away when a call ends: the retries of its settlement are counted, then its end', async () => {
  const worker = await stage.startWorker(REAL_TIME, QUICK_LOOPS);
  const callId = await stage.place(SILENT, { maxDurationSeconds: 5 });
  await stage.until(callId, 'in_progress');
  await postgres.kill();
  const away = await scrapeUntil(worker, (metrics) => (metrics.value('outdial_settle_retries_total') ?? 0) > 0);
  expect(away.value('outdial_calls_ended_total', 'reason="max_duration_reached"')).toBe(0);
  await scrapeUntil(worker, (metrics) => metrics.value('outdial_reading_success', 'reading="postgres"') === 0);
  expect((await scrape(worker)).value('outdial_open_calls', 'status="in_progress"')).toBeUndefined();
  await postgres.start();
  await scrapeUntil(
    worker,
    (metrics) => metrics.value('outdial_calls_ended_total', 'reason="max_duration_reached"') === 1,
  );
});

test('a gate that lost everything is rebuilt, which is counted', async () => {
  const worker = await stage.startWorker(REAL_TIME, QUICK_LOOPS);
  const before = (await scrape(worker)).value('outdial_gate_rebuilds_total', 'outcome="rebuilt"') ?? 0;
  await stage.redis.flushall();
  const metrics = await scrapeUntil(
    worker,
    (scraped) => scraped.value('outdial_gate_rebuilds_total', 'outcome="rebuilt"') === before + 1,
  );
  expect(metrics.value('outdial_gate_rebuilds_total', 'outcome="superseded"')).toBe(0);
});
