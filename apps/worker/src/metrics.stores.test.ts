import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { meteredStages, type MeteredStages } from '../test/metered-stages.ts';
import { scrape, scrapeUntil } from '../test/scrape.ts';

// Processes are started, and readings are five seconds apart.
vi.setConfig({ testTimeout: 180_000 });

const SILENT = '+12025550108';

let stages: MeteredStages;
beforeEach(() => {
  stages = meteredStages();
});
afterEach(() => stages.close());

test('Redis away: a scrape still answers, says which store, and leaves out what it cannot know', async () => {
  const redis = await stages.redis();
  const stage = await stages.open({ redis });
  const { url } = await stages.startWorker(stage);
  await scrapeUntil(url, (told) => told.value('outdial_gate_open') === 1);
  // It hangs: nothing fails, and nothing answers.
  await redis.pause();
  const hung = await scrapeUntil(url, (told) => told.value('outdial_reading_success', 'reading="gate"') === 0);
  expect(hung.value('outdial_gate_open')).toBeUndefined();
  expect(hung.value('outdial_slots_in_use')).toBeUndefined();
  expect(hung.value('outdial_open_calls', 'status="queued"')).toBe(0);
  await redis.resume();
  await redis.stop();
  await scrapeUntil(url, (told) => told.value('outdial_store_away', 'store="redis"') === 1);
  await redis.start();
  const back = await scrapeUntil(url, (told) => told.value('outdial_store_away', 'store="redis"') === 0);
  expect(back.value('outdial_store_outages_total', 'store="redis"')).toBeGreaterThan(0);
  await scrapeUntil(url, (told) => told.value('outdial_gate_open') === 1);
});

test('Postgres away when a call ends: the retries of its settlement are counted, and then its end', async () => {
  const postgres = await stages.postgres();
  const stage = await stages.open({ postgres });
  const { url } = await stages.startWorker(stage);
  const callId = await stage.place(SILENT, { maxDurationSeconds: 5 });
  await stage.until(callId, 'in_progress');
  await postgres.kill();
  const away = await scrapeUntil(url, (told) => (told.value('outdial_settle_retries_total') ?? 0) > 0);
  expect(away.value('outdial_calls_ended_total', 'reason="max_duration_reached"')).toBe(0);
  await scrapeUntil(url, (told) => told.value('outdial_reading_success', 'reading="postgres"') === 0);
  expect((await scrape(url)).value('outdial_open_calls', 'status="in_progress"')).toBeUndefined();
  await postgres.start();
  await scrapeUntil(url, (told) => told.value('outdial_calls_ended_total', 'reason="max_duration_reached"') === 1);
});

test('a gate that lost everything is rebuilt, which is counted', async () => {
  const redis = await stages.redis();
  const stage = await stages.open({ redis });
  const { url } = await stages.startWorker(stage);
  const before = (await scrape(url)).value('outdial_gate_rebuilds_total', 'outcome="rebuilt"') ?? 0;
  await stage.redis.flushall();
  const told = await scrapeUntil(
    url,
    (scraped) => scraped.value('outdial_gate_rebuilds_total', 'outcome="rebuilt"') === before + 1,
  );
  expect(told.value('outdial_gate_rebuilds_total', 'outcome="superseded"')).toBe(0);
});
