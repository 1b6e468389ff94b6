import { callIdSchema, totalsSchema } from '@outdial/contracts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDesk, type Desk } from '../../../test/desk.ts';
import { driveCall } from '../../../test/drive.ts';
import { openApi, type TestApi } from '../../../test/open-api.ts';
import type { TestAccount } from '../../../test/seeds.ts';

let api: TestApi;
let account: TestAccount;
let member: Desk;
beforeAll(async () => {
  api = await openApi();
  account = await api.account({ balance: '5.00', capacity: 20 });
  member = await openDesk(api, account.id, 'member');
  for (const talkMs of [30_000, 60_000]) {
    const answer = await api.request('POST', '/outbound/calls', { key: account.key, json: account.newCall });
    await driveCall(api.database, callIdSchema.parse(answer.call().id), { talkMs });
  }
});
afterAll(() => api.close());

const today = (offsetDays = 0) => new Date(Date.now() + offsetDays * 86_400_000).toISOString().slice(0, 10);

it('200: totals of the calls that ended in a period, by day, agent and number', async () => {
  const answer = await member.request('GET', `totals?from=${today(-6)}&to=${today(1)}&time_zone=UTC`);
  const totals = totalsSchema.parse(answer.json);
  expect(totals).toMatchObject({ step: 'day', currency: 'USD', is_complete: true, time_zone: 'UTC' });
  expect(totals.steps).toHaveLength(8);
  expect(totals.all).toMatchObject({ calls: 2, answered: 2, cost: 0.024 });
  expect(totals.all.talking_seconds).toBeCloseTo(90, 1);
  expect(totals.steps.reduce((sum, { calls }) => sum + calls, 0)).toBe(2);
  expect(totals.agents).toMatchObject([{ agent_id: account.newCall.agent_id, calls: 2 }]);
  expect(totals.numbers).toMatchObject([{ calls: 2, cost: 0.024 }]);
});

it('200: a day in a time zone, by hour', async () => {
  const answer = await member.request('GET', 'totals?from=2026-10-25&to=2026-10-25&time_zone=Europe/Berlin');
  const totals = totalsSchema.parse(answer.json);
  expect([totals.step, totals.steps.length]).toEqual(['hour', 25]);
  expect(totals.steps[0]?.starts_at).toBe('2026-10-24T22:00:00.000Z');
});

it('200: another account sees none of it', async () => {
  const other = await api.account();
  const desk = await openDesk(api, other.id, 'member');
  const answer = await desk.request('GET', `totals?from=${today(-6)}&to=${today(1)}`);
  expect(totalsSchema.parse(answer.json)).toMatchObject({ all: { calls: 0 }, agents: [], numbers: [] });
});

it.each([
  ['to', 'from=2026-11-02&to=2026-11-01'],
  ['to', 'from=2025-11-01&to=2026-11-02'],
  ['from', 'from=yesterday&to=2026-11-01'],
  ['time_zone', 'from=2026-11-01&to=2026-11-02&time_zone=Nowhere'],
  ['time_zone', 'from=2026-11-01&to=2026-11-02&time_zone=Asia/Kathmandu'],
])('400 names %s for %s', async (param, query) => {
  const answer = await member.request('GET', `totals?${query}`);
  expect([answer.status, answer.error().param]).toEqual([400, param]);
});
