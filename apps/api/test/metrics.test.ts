import { privatePostgres, privateRedis, type PrivateServer } from '@outdial/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openApi, type TestApi } from './open-api.ts';
import type { TestAccount } from './seeds.ts';

let redis: PrivateServer;
let postgres: PrivateServer;
let api: TestApi;
let full: TestAccount;
let other: TestAccount;

beforeAll(async () => {
  [redis, postgres] = await Promise.all([privateRedis(), privatePostgres()]);
  api = await openApi({ stores: { redisUrl: redis.url, databaseUrl: postgres.url } });
  [full, other] = [await api.account({ capacity: 1 }), await api.account()];
});
afterAll(async () => {
  await api.close();
  await Promise.all([redis.close(), postgres.close()]);
});

const metrics = async () => (await fetch(api.metricsUrl)).text();

/** 0 if there is no such series. */
async function valueOf(series: string): Promise<number> {
  const line = (await metrics()).split('\n').find((text) => text.startsWith(`${series} `));
  return Number(line?.slice(series.length + 1) ?? 0);
}

/** `once`: also accepts a 503, which a busy machine may answer. */
const place = ({ key, newCall }: TestAccount, { once = false } = {}) =>
  api.request('POST', '/outbound/calls', { key, json: newCall, once });

/** Rejections of requests that a store did not answer. */
async function failures(): Promise<number> {
  const codes = ['service_unavailable', 'outcome_unknown'];
  const counts = await Promise.all(codes.map((code) => valueOf(`outdial_api_refusals_total{code="${code}"}`)));
  return counts.reduce((sum, count) => sum + count, 0);
}

it('is served on its own port, and not on the port of the API', async () => {
  expect(await metrics()).toContain('\noutdial_gate_open 1\n');
  for (const options of [{}, { key: full.key }]) {
    // The dashboard answers every path without a route.
    expect((await api.request('GET', '//metrics', options)).text).toMatch(/^<!doctype html>/i);
  }
});

it('counts requests for calls by outcome and by rejection code', async () => {
  expect((await place(full)).status).toBe(201);
  expect((await place(full)).error().code).toBe('capacity_exceeded');
  expect(await valueOf('outdial_accept_duration_seconds_count{outcome="accepted"}')).toBe(1);
  expect(await valueOf('outdial_accept_duration_seconds_count{outcome="refused"}')).toBe(1);
  expect(await valueOf('outdial_api_refusals_total{code="capacity_exceeded"}')).toBe(1);
});

it('reports the calls that wait for a worker although none runs', async () => {
  // A reading is shared for some seconds.
  await expect.poll(() => valueOf('outdial_worker_demand_calls'), { timeout: 30_000 }).toBe(1);
  expect(await valueOf('outdial_open_calls{status="queued"}')).toBe(1);
  expect(await valueOf('outdial_queue_jobs{state="waiting"}')).toBe(1);
  expect(await valueOf('outdial_oldest_queued_call_seconds')).toBeGreaterThan(0);
});

it('is served while Postgres hangs, and shows that requests fail', async () => {
  const before = await failures();
  await postgres.pause();
  expect((await place(other, { once: true })).status).toBe(503);
  await postgres.resume();
  expect(await failures()).toBe(before + 1);
});

it('is served while Redis is away: names the store, and omits the gate', async () => {
  await redis.stop();
  expect((await place(other, { once: true })).status).toBe(503);
  while ((await valueOf('outdial_store_away{store="redis"}')) !== 1)
    await new Promise((resolve) => setTimeout(resolve, 100));
  while ((await valueOf('outdial_reading_success{reading="gate"}')) !== 0) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect(await metrics()).not.toContain('\noutdial_gate_open ');
  await redis.start();
  while ((await valueOf('outdial_gate_open')) !== 1) await new Promise((resolve) => setTimeout(resolve, 100));
  expect(await valueOf('outdial_store_outages_total{store="redis"}')).toBeGreaterThan(0);
});
