import { callEventListSchema, callingPolicySettingsSchema, callListSchema } from '@outdial/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { openApi, type TestApi } from '../../../test/open-api.ts';
import type { TestAccount } from '../../../test/seeds.ts';

const DAY_MS = 86_400_000;
/** Where +1 202 is. */
const ZONE = 'America/New_York';

let api: TestApi;
let account: TestAccount;
beforeAll(async () => {
  api = await openApi();
});
beforeEach(async () => {
  account = await api.account({ capacity: 1 });
});
afterAll(() => api.close());

const create = (fields: Readonly<Record<string, unknown>> = {}, headers: Readonly<Record<string, string>> = {}) =>
  api.request('POST', '/outbound/calls', { key: account.key, json: { ...account.newCall, ...fields }, headers });
const get = async (path: string) => (await api.request('GET', path, { key: account.key })).json;
const calls = async () => callListSchema.parse(await get('/outbound/calls')).calls;
const save = (policy: unknown) => api.admin.policies.save(account.id, callingPolicySettingsSchema.parse(policy));

/** So many dates of the callee's calendar from today on. By the calendar: a day of 23 or 25 hours is a date too. */
function datesFromToday(count: number): readonly string[] {
  const today = Date.parse(new Intl.DateTimeFormat('en-CA', { timeZone: ZONE, dateStyle: 'short' }).format(Date.now()));
  return Array.from({ length: count }, (_, days) => new Date(today + days * DAY_MS).toISOString().slice(0, 10));
}
/** Whenever the test runs: closed today and tomorrow, also if midnight passes during it. */
const closedForDays = () => ({ closed_days: datesFromToday(3) });
const opensAtOf = (details: unknown) =>
  z.object({ opens_at: z.iso.datetime(), zones: z.array(z.string()) }).parse(details);
/** As the callee's clock shows it. */
const shown = (iso: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: ZONE, dateStyle: 'short', timeStyle: 'short' }).format(Date.parse(iso));

describe('while the hours of the callee are closed, a call', () => {
  it('is refused, with the opening and the zones; nothing is stored', async () => {
    const dates = datesFromToday(4);
    await save({ closed_days: dates.slice(0, 3) });
    const answer = await create();
    expect([answer.status, answer.error()]).toMatchObject([
      403,
      { code: 'outside_calling_window', param: 'to_number' },
    ]);
    const { opens_at: opensAt, zones } = opensAtOf(answer.error().details);
    expect([shown(opensAt), zones]).toEqual([`${dates[3]} 00:00`, [ZONE]]);
    expect(await calls()).toEqual([]);
  });

  it('is refused without an opening if no hour is ever open', async () => {
    await save({ windows: { default: {} } });
    for (const fields of [{}, { on_closed: 'wait' }]) {
      const answer = await create(fields);
      expect([answer.status, answer.error().details]).toEqual([403, { opens_at: null, zones: [ZONE] }]);
    }
  });

  it('waits for the opening if it is asked to, and its account’s turn is due then', async () => {
    await save(closedForDays());
    const { opens_at: opensAt } = opensAtOf((await create()).error().details);
    const answer = await create({ on_closed: 'wait' });
    expect([answer.status, answer.call()]).toMatchObject([201, { status: 'scheduled', waiting_for: 'window' }]);
    const { id } = answer.call();
    const { events } = callEventListSchema.parse(await get(`/outbound/calls/${id}/events`));
    expect(events.map(({ type, data }) => [type, data]).at(-1)).toEqual(['waiting', { for: 'window', until: opensAt }]);
    const due = await api.database.side.$queryRaw`
      SELECT iso_ms(s.due_at) AS call, iso_ms(t.due_at) AS turn
      FROM call_schedules s JOIN dial_turns t ON t.account_id = s.account_id WHERE s.call_id = ${id}::uuid`;
    expect(due).toEqual([{ call: opensAt, turn: opensAt }]);
  });

  it('that is scheduled into them waits until they open, unless it is to be refused', async () => {
    await save(closedForDays());
    const { opens_at: opensAt } = opensAtOf((await create()).error().details);
    const scheduledFor = new Date(Date.now() + 3_600_000).toISOString();
    const refused = await create({ scheduled_for: scheduledFor, on_closed: 'reject' });
    expect([refused.status, refused.error().code]).toEqual([403, 'outside_calling_window']);
    const { id } = (await create({ scheduled_for: scheduledFor })).call();
    const [call] = await calls();
    expect(call).toMatchObject({ id, status: 'scheduled', scheduled_for: scheduledFor, waiting_for: 'window' });
    expect(await get(`/outbound/calls/${id}/events`)).toMatchObject({
      events: [{ type: 'scheduled' }, { type: 'waiting', data: { for: 'window', until: opensAt } }],
    });
  });

  it('that is scheduled beyond them waits for its time', async () => {
    await save(closedForDays());
    const { opens_at: opensAt } = opensAtOf((await create()).error().details);
    const answer = await create({ scheduled_for: new Date(Date.parse(opensAt) + 3_600_000).toISOString() });
    expect([answer.status, answer.call().waiting_for]).toEqual([201, 'time']);
  });
});

it('a number that was called as often as a cap allows is refused until the cap is over; another is called', async () => {
  await save({ caps: [{ hours: 24, max: 1 }] });
  const calledMs = Date.now();
  await api.database.side.$executeRaw`
    SELECT grant_dial(${account.id}::uuid, ${account.newCall.to_number}, NULL, from_epoch_ms(${calledMs}::bigint))`;
  const answer = await create();
  expect([answer.status, answer.error()]).toMatchObject([
    403,
    { code: 'frequency_capped', details: { until: new Date(calledMs + DAY_MS).toISOString() } },
  ]);
  await expect.poll(async () => (await create({ to_number: '+12025550177' })).status).toBe(201);
});

it('a repetition of a call that was accepted before the hours were closed is still that call', async () => {
  const headers = { 'Idempotency-Key': 'reminder-1' };
  const first = await create({}, headers);
  await save({ windows: { default: {} } });
  // The process reads an account once a second.
  await vi.waitFor(async () => expect((await create()).error().code).toBe('outside_calling_window'), {
    timeout: 30_000,
    interval: 100,
  });
  const again = await create({}, headers);
  expect([first.status, again.status, again.call().id]).toEqual([201, 201, first.call().id]);
});

it('the policy of another account refuses nothing', async () => {
  const other = await api.account();
  await api.admin.policies.save(other.id, callingPolicySettingsSchema.parse({ windows: { default: {} } }));
  expect((await create()).status).toBe(201);
});

it('another policy has waiting calls looked at again within seconds', async () => {
  const { id: accountId, key } = (account = await api.account({ scopes: ['outbound', 'manage'] }));
  await save(closedForDays());
  const { id } = (await create({ on_closed: 'wait' })).call();
  const answer = await api.request('PUT', '/account/calling-policy', { key, json: {} });
  expect(answer.status).toBe(200);
  await vi.waitFor(
    async () => {
      const [row] = await api.database.side.$queryRaw<{ call: number; turn: number }[]>`
        SELECT epoch_ms(s.due_at) AS call, epoch_ms(t.due_at) AS turn
        FROM call_schedules s, dial_turns t WHERE s.call_id = ${id}::uuid AND t.account_id = ${accountId}::uuid`;
      expect(Math.max(row?.call ?? Infinity, row?.turn ?? Infinity)).toBeLessThan(Date.now() + 5_000);
    },
    { timeout: 30_000, interval: 50 },
  );
});
