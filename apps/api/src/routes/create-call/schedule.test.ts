import { randomUUID } from 'node:crypto';
import { accountEnvelopeSchema, callEventListSchema, callListSchema } from '@outdial/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApi, type TestApi } from '../../../test/open-api.ts';
import type { TestAccount } from '../../../test/seeds.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const fromNow = (ms: number) => new Date(Date.now() + ms).toISOString();

let api: TestApi;
let account: TestAccount;

beforeAll(async () => {
  api = await openApi();
  account = await api.account();
});
afterAll(() => api.close());

const create = (fields: Readonly<Record<string, unknown>>, of = account, headers: Record<string, string> = {}) =>
  api.request('POST', '/outbound/calls', { key: of.key, json: { ...of.newCall, ...fields }, headers });
const get = (path: string, of = account) => api.request('GET', path, { key: of.key });
const end = (id: string) => api.request('POST', `/outbound/calls/${id}/end`, { key: account.key });

async function eventsOf(id: string) {
  return callEventListSchema.parse((await get(`/outbound/calls/${id}/events`)).json).events;
}

const retryOn = (reason: string) => ({ retry: { max_attempts: 2, on: [reason] } });

describe('400', () => {
  it.each<[string, () => Record<string, unknown>, string, RegExp]>([
    ['a time without its offset', () => ({ scheduled_for: '2126-01-01T09:00:00' }), 'scheduled_for', /offset from UTC/],
    ['a time that is past', () => ({ scheduled_for: fromNow(-2 * MINUTE_MS) }), 'scheduled_for', /60 seconds past/],
    ['a time too far ahead', () => ({ scheduled_for: fromNow(91 * DAY_MS) }), 'scheduled_for', /90 days ahead/],
    [
      'an expiry before the time',
      () => ({ scheduled_for: fromNow(2 * HOUR_MS), expires_at: fromNow(HOUR_MS) }),
      'expires_at',
      /after scheduled_for/,
    ],
    [
      'an expiry too far ahead',
      () => ({ scheduled_for: fromNow(HOUR_MS), expires_at: fromNow(91 * DAY_MS) }),
      'expires_at',
      /90 days ahead/,
    ],
    [
      'an expiry of a call that waits for nothing',
      () => ({ expires_at: fromNow(HOUR_MS) }),
      'expires_at',
      /scheduled_for/,
    ],
    ['an unknown wish about a full service', () => ({ on_capacity: 'wait' }), 'on_capacity', /reject, queue/],
    ['a retry after an end that it cannot change', () => retryOn('declined'), 'retry.on.0', /busy, no_answer/],
    ['more than 10 attempts', () => ({ retry: { max_attempts: 11 } }), 'retry.max_attempts', /at most 10/],
    ['a single attempt', () => ({ retry: { max_attempts: 1 } }), 'retry.max_attempts', /at least 2/],
  ])('for %s, naming it', async (_what, fields, param, message) => {
    const answer = await create(fields());
    expect(answer.status).toBe(400);
    const details = [{ param, message: expect.stringMatching(message) }];
    expect(answer.error()).toMatchObject({ code: 'invalid_request', param, details });
  });
});

describe('201 for a call for later', () => {
  it('is the scheduled call with every field; it holds neither money nor a slot', async () => {
    const fresh = await api.account({ balance: '1.00', capacity: 3 });
    const [scheduled_for, expires_at] = [fromNow(HOUR_MS), fromNow(2 * HOUR_MS)];
    const answer = await create({ scheduled_for, expires_at, metadata: { order: 17 } }, fresh);
    expect(answer.status).toBe(201);
    const call = answer.call();
    expect(answer.headers.get('location')).toBe(`/api/v1/outbound/calls/${call.id}`);
    expect(call).toEqual({
      id: call.id,
      owner_id: fresh.id,
      agent_id: fresh.agentId,
      agent_version: 1,
      caller_number: fresh.fromNumber,
      callee_number: '+12025550143',
      direction: 'outbound',
      status: 'scheduled',
      started_at: null,
      answered_at: null,
      ended_at: null,
      duration_seconds: null,
      billable_seconds: 0,
      answered_by: null,
      transcript: null,
      summary: null,
      review_note: null,
      webhook_url: null,
      recording_url: `/api/v1/calls/${call.id}/recording`,
      recording_status: 'pending',
      analysis_status: 'none',
      analysis: null,
      latency: null,
      cost: 0,
      currency: 'USD',
      cost_breakdown: { reserved: 0, items: [], total: 0 },
      usage: [],
      ended_reason: null,
      failure: null,
      sip_code: null,
      sip: null,
      variables: {},
      metadata: { order: 17 },
      limits: { max_duration_seconds: 1_800, ring_timeout_seconds: 30 },
      created_at: expect.stringMatching(/Z$/),
      scheduled_for,
      expires_at,
      waiting_for: 'time',
      attempt: 1,
      retry_of: null,
      next_call_id: null,
      campaign_id: null,
    });
    expect((await get(`/outbound/calls/${call.id}`, fresh)).call()).toEqual(call);
    expect(accountEnvelopeSchema.parse((await get('/account', fresh)).json).account).toMatchObject({
      wallet: { balance: 1, held: 0, available: 1 },
      capacity: { in_use: 0 },
    });
  });

  it('shows its time in UTC', async () => {
    const call = (await create({ scheduled_for: fromNow(10 * HOUR_MS).replace('Z', '+02:00') })).call();
    const dueInMs = Date.parse(call.scheduled_for ?? '') - Date.parse(call.created_at);
    expect(call.scheduled_for).toMatch(/Z$/);
    expect(Math.abs(dueInMs - 8 * HOUR_MS)).toBeLessThan(MINUTE_MS);
  });

  it('takes a time that has just passed as now', async () => {
    const before = Date.now();
    const call = (await create({ scheduled_for: fromNow(-30_000) })).call();
    expect(call.status).toBe('scheduled');
    expect(Date.parse(call.scheduled_for ?? '')).toBeGreaterThanOrEqual(before);
  });

  it('is given up a day after its time unless it says more, with retries after seven', async () => {
    const scheduled_for = fromNow(HOUR_MS);
    const waitOf = async (fields: Record<string, unknown>) => {
      const { expires_at } = (await create({ scheduled_for, ...fields })).call();
      return Date.parse(expires_at ?? '') - Date.parse(scheduled_for);
    };
    expect(await waitOf({})).toBe(DAY_MS);
    expect(await waitOf({ retry: { max_attempts: 3 } })).toBe(7 * DAY_MS);
  });

  it('is authorized now; its funds and its slot are not asked for yet', async () => {
    const scheduled_for = fromNow(HOUR_MS);
    const broke = await api.account({ balance: '0', capacity: 0 });
    expect((await create({ scheduled_for }, broke)).status).toBe(201);
    const refused = await create({ scheduled_for, to_number: '+442079460000' }, broke);
    expect([refused.status, refused.error().code]).toEqual([403, 'destination_not_allowed']);
  });

  it('is in the list of scheduled calls, in which no other is', async () => {
    const fresh = await api.account();
    const { id } = (await create({ scheduled_for: fromNow(HOUR_MS) }, fresh)).call();
    await create({}, fresh);
    const { calls } = callListSchema.parse((await get('/outbound/calls?status=scheduled', fresh)).json);
    expect(calls.map((call) => call.id)).toEqual([id]);
  });

  it('has a timeline that begins with its scheduling, and ends with its end', async () => {
    const scheduled_for = fromNow(HOUR_MS);
    const { id } = (await create({ scheduled_for })).call();
    expect(await eventsOf(id)).toMatchObject([{ type: 'scheduled', data: { scheduled_for } }]);
    await end(id);
    expect((await eventsOf(id)).map(({ type }) => type)).toEqual(['scheduled', 'ended']);
  });

  it('has a log line with its time', async () => {
    const scheduled_for = fromNow(HOUR_MS);
    const { id } = (await create({ scheduled_for })).call();
    const line = api.logLines.map((text): unknown => JSON.parse(text)).find((each) => callIdIn(each) === id);
    expect(line).toMatchObject({ event: 'call.accepted', scheduledFor: scheduled_for, waitingFor: 'time' });
  });
});

function callIdIn(line: unknown): unknown {
  return typeof line === 'object' && line !== null ? Reflect.get(line, 'callId') : undefined;
}

describe('a repeated request for a call for later', () => {
  it('returns the same call in its current state', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const fields = { scheduled_for: fromNow(HOUR_MS), retry: { max_attempts: 2 } };
    const first = (await create(fields, account, headers)).call();
    const again = await create(fields, account, headers);
    expect([again.status, again.headers.get('idempotency-replayed'), again.call()]).toEqual([201, 'true', first]);
    await end(first.id);
    expect((await create(fields, account, headers)).call()).toMatchObject({ id: first.id, status: 'ended' });
  });

  it('with another time is another request: 422', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    await create({ scheduled_for: fromNow(HOUR_MS) }, account, headers);
    const other = await create({ scheduled_for: fromNow(2 * HOUR_MS) }, account, headers);
    expect([other.status, other.error().code]).toEqual([422, 'idempotency_key_reused']);
  });
});

describe('a call that may wait for a slot', () => {
  it('is queued while slots are free, and scheduled instead of refused with 429 while none is', async () => {
    const small = await api.account({ capacity: 1 });
    const wish = { on_capacity: 'queue' };
    const [first, second] = [await create(wish, small), await create(wish, small)];
    expect([first.status, first.call().status, first.call().expires_at]).toEqual([201, 'queued', null]);
    const waits = { status: 'scheduled', waiting_for: 'capacity' };
    expect([second.status, second.call()]).toEqual([201, expect.objectContaining(waits)]);
    const refused = await create({}, small);
    expect([refused.status, refused.error().code]).toEqual([429, 'capacity_exceeded']);
  });

  it('is still refused without funds: 402', async () => {
    const poor = await api.account({ balance: '0.01', capacity: 1 });
    const answer = await create({ on_capacity: 'queue' }, poor);
    expect([answer.status, answer.error().code]).toEqual([402, 'insufficient_funds']);
  });
});

it('201 for a call that is dialed at once with retries: queued, with the time after which no retry begins', async () => {
  const call = (await create({ retry: { max_attempts: 3, on: ['busy'], after_seconds: [60] } })).call();
  expect(call).toMatchObject({ status: 'queued', scheduled_for: null, waiting_for: null, attempt: 1 });
  expect(Date.parse(call.expires_at ?? '') - Date.parse(call.created_at)).toBeGreaterThan(7 * DAY_MS - MINUTE_MS);
  expect((await eventsOf(call.id)).map(({ type }) => type)).toEqual(['queued']);
});
