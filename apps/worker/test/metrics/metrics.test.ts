import { randomUUID } from 'node:crypto';
import { endedReasons, type AgentId } from '@outdial/contracts';
import { createAdministration } from '@outdial/persistence';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startChildApi, type ChildApi } from '../child-api.ts';
import { killChildWorkers, startChildWorker } from '../child-worker.ts';
import { QUICK_LOOPS } from '../quick-timings.ts';
import { metricsUrlOf, scrape, scrapeUntil, type Scrape } from '../scrape.ts';
import { openStage, type Stage } from '../stage.ts';

const PEPPER = '5c'.repeat(32);
const SILENT = '+12025550108';
const NUMBERS = ['+12025550100', '+12025550101', '+12025550103', '+12025550104', '+12025550105', '+12025550109'];

let stage: Stage;
let api: ChildApi;
let agentId: AgentId;

beforeAll(async () => {
  stage = await openStage({ capacity: 20 });
  const { keys } = createAdministration(stage.database, { actor: 'test' });
  const pepper = Buffer.from(PEPPER, 'hex');
  const { key } = await keys.create({ accountId: stage.accountId, name: 'test', pepper });
  agentId = stage.agentId;
  api = await startChildApi(key, { ...stage.environment({ LOG_LEVEL: 'error' }), OUTDIAL_KEY_PEPPER: PEPPER });
});
afterAll(async () => {
  killChildWorkers();
  await api.close();
  await stage.close();
});

const bodyOf = (number: string) => ({ to_number: number, agent_id: agentId, variables: { name: 'Ada' } });
const place = (number: string) => api.place(bodyOf(number));

async function refusalOf(body: Readonly<Record<string, unknown>>): Promise<number> {
  return (await api.ask('/outbound/calls', { method: 'POST', body: JSON.stringify(body) })).status;
}

const summed = (scrapes: readonly Scrape[], name: string, label?: string) =>
  scrapes.reduce((sum, scraped) => sum + (scraped.value(name, label) ?? 0), 0);

async function endedByReason(): Promise<ReadonlyMap<string, number>> {
  const rows = await stage.database.side.$queryRaw<{ reason: string; calls: number }[]>`
    SELECT ended_reason::text AS reason, count(*)::int AS calls FROM calls WHERE ended_at IS NOT NULL GROUP BY 1`;
  return new Map(rows.map(({ reason, calls }) => [reason, calls]));
}

test('a call that is cancelled while it waits is counted by the API, which ended it', async () => {
  const callId = await place(SILENT);
  await api.ask(`/outbound/calls/${callId}/end`, { method: 'POST' });
  await api.ended(callId);
  const metrics = await scrape(api.metricsUrl);
  expect(metrics.value('outdial_calls_ended_total', 'reason="cancelled"')).toBe(1);
  expect(metrics.value('outdial_gate_open')).toBe(1);
});

test('each ended call is counted once by its reason, in agreement with Postgres', async () => {
  const workerUrl = await metricsUrlOf(startChildWorker(stage.environment({ WORKER_METRICS_PORT: '0' }), QUICK_LOOPS));
  const callIds: string[] = [];
  for (const number of [...NUMBERS, ...NUMBERS]) callIds.push(await place(number));
  for (const callId of callIds) await api.ended(callId);
  const scrapes = [await scrape(api.metricsUrl), await scrape(workerUrl)];
  const stored = await endedByReason();
  for (const reason of endedReasons) {
    expect([reason, summed(scrapes, 'outdial_calls_ended_total', `reason="${reason}"`)]).toEqual([
      reason,
      stored.get(reason) ?? 0,
    ]);
  }
  const accepted = [...stored.values()].reduce((sum, calls) => sum + calls, 0);
  expect(summed(scrapes, 'outdial_accept_duration_seconds_count', 'outcome="accepted"')).toBe(accepted);
  // All but the cancelled one.
  expect(summed(scrapes, 'outdial_queue_wait_seconds_count')).toBe(accepted - 1);
  expect(summed(scrapes, 'outdial_calls_entered_total', 'status="dialing"')).toBe(accepted - 1);
  const [recordings] = await stage.database.side.$queryRaw<{ answered: number }[]>`
    SELECT count(*)::int AS answered FROM calls WHERE answered_at IS NOT NULL AND recording_key IS NOT NULL`;
  expect(summed(scrapes, 'outdial_recordings_total', 'status="available"')).toBe(recordings?.answered);
});

test('rejections are counted by their code', async () => {
  const before = await scrape(api.metricsUrl);
  expect(await refusalOf(bodyOf('+4930901820'))).toBe(403);
  expect(await refusalOf({ ...bodyOf(SILENT), agent_id: randomUUID() })).toBe(403);
  expect(await refusalOf(bodyOf('nonsense'))).toBe(400);
  const after = await scrape(api.metricsUrl);
  const rise = (name: string, label: string) => (after.value(name, label) ?? 0) - (before.value(name, label) ?? 0);
  for (const code of ['destination_not_allowed', 'agent_access_denied', 'invalid_request']) {
    expect([code, rise('outdial_api_refusals_total', `code="${code}"`)]).toEqual([code, 1]);
  }
  // An invalid request is rejected before this count.
  expect(rise('outdial_accept_duration_seconds_count', 'outcome="refused"')).toBe(2);
});

test('live calls, slots and funds agree with the stores while calls continue', async () => {
  killChildWorkers();
  const realTime = { OUTDIAL_SIMULATED_MEDIA: 'off', OUTDIAL_SIMULATED_SPEED: '1' };
  const url = await metricsUrlOf(
    startChildWorker(stage.environment({ WORKER_METRICS_PORT: '0', ...realTime }), QUICK_LOOPS),
  );
  const { capacity } = createAdministration(stage.database, { actor: 'test' });
  await stage.gate.refreshSystem(await capacity.setSystem(3));
  const callIds = [];
  for (let call = 0; call < 3; call += 1) callIds.push(await place(SILENT));
  // Each store is read separately.
  const live = await scrapeUntil(
    url,
    (metrics) =>
      metrics.value('outdial_open_calls', 'status="in_progress"') === 3 && metrics.value('outdial_slots_in_use') === 3,
  );
  const [held] = await stage.database.side.$queryRaw<{ units: number; balance: number; limit: number }[]>`
    SELECT (SELECT sum(hold_micros) FROM calls WHERE ended_at IS NULL)::float8 / 1e6 AS units,
           (SELECT balance_micros FROM wallets)::float8 / 1e6 AS balance,
           (SELECT capacity FROM system_settings) AS limit`;
  expect(live.value('outdial_worker_live_calls')).toBe(3);
  expect(held?.limit).toBe(3);
  expect(live.value('outdial_slots_limit')).toBe(3);
  expect(await refusalOf(bodyOf(SILENT))).toBe(429);
  expect(live.value('outdial_funds_held_currency_units', 'currency="USD"')).toBeCloseTo(held?.units ?? 0, 6);
  expect(live.value('outdial_funds_limit_currency_units', 'currency="USD"')).toBeCloseTo(held?.balance ?? 0, 6);
  for (const callId of callIds) await api.ask(`/outbound/calls/${callId}/end`, { method: 'POST' });
  for (const callId of callIds) await api.ended(callId);
  await scrapeUntil(url, (metrics) => metrics.value('outdial_slots_in_use') === 0);
});
