import { randomUUID } from 'node:crypto';
import { callIdSchema } from '@outdial/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claimCall, driveCall } from '../../../test/drive.ts';
import { openApi, type TestApi } from '../../../test/open-api.ts';
import type { TestAccount } from '../../../test/seeds.ts';

let api: TestApi;
let account: TestAccount;

beforeAll(async () => {
  api = await openApi();
  account = await api.account();
});
afterAll(() => api.close());

const get = (id: string, key = account.key) => api.request('GET', `/outbound/calls/${id}`, { key });
const newCallId = async () =>
  callIdSchema.parse(
    (await api.request('POST', '/outbound/calls', { key: account.key, json: account.newCall })).call().id,
  );

describe('200', () => {
  it('shows a call that is being dialed, with what is known so far', async () => {
    const id = await newCallId();
    await claimCall(api.database, id);
    const call = (await get(id)).call();
    expect(call).toMatchObject({
      status: 'dialing',
      answered_at: null,
      ended_at: null,
      duration_seconds: null,
      cost: 0,
    });
    expect(Date.parse(call.started_at ?? '')).toBeGreaterThan(Date.parse(call.created_at));
  });

  it('shows an ended call with its times, cost, transcript and the path of its recording', async () => {
    const id = await newCallId();
    await driveCall(api.database, id, { recordingKey: 'key' });
    const call = (await get(id)).call();
    expect(call).toMatchObject({
      status: 'ended',
      ended_reason: 'callee_hangup',
      answered_by: 'human',
      duration_seconds: 63,
      billable_seconds: 120,
      cost: 0.024,
      cost_breakdown: {
        reserved: 0.024,
        items: [{ product: 'talk_time', unit_price: 0.012, quantity: 2, cost: 0.024 }],
        total: 0.024,
      },
      sip_code: 200,
      recording_status: 'available',
      recording_url: `/api/v1/calls/${id}/recording`,
      transcript: [{ role: 'agent', text: 'Hello.', start_ms: 0, end_ms: 900, source: 'script', interrupted: false }],
      summary: 'The callee hung up.',
    });
    expect(call.created_at < (call.started_at ?? '')).toBe(true);
    expect((call.started_at ?? '') <= (call.answered_at ?? '')).toBe(true);
    expect((call.answered_at ?? '') <= (call.ended_at ?? '')).toBe(true);
  });

  it('shows the excess over the hold as an adjustment, so that the items sum to the total', async () => {
    const id = await newCallId();
    await driveCall(api.database, id, { talkMs: 121_000 });
    const { cost, cost_breakdown: breakdown } = (await get(id)).call();
    expect(breakdown.items.map((item) => [item.product, item.cost])).toEqual([
      ['talk_time', 0.036],
      ['adjustment', -0.012],
    ]);
    expect([cost, breakdown.total]).toEqual([0.024, 0.024]);
  });

  it('accepts an id in upper case', async () => {
    const id = await newCallId();
    expect((await get(id.toUpperCase())).call().id).toBe(id);
  });

  it('has no body for HEAD', async () => {
    const answer = await api.request('HEAD', `/outbound/calls/${await newCallId()}`, { key: account.key });
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(100);
  });
});

it.each(['not-a-uuid', '123', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a1'])('400 for a malformed id: %s', async (id) => {
  const answer = await get(id);
  expect([answer.status, answer.error().code, answer.error().param]).toEqual([400, 'invalid_request', 'call_id']);
});

it('404 for an unknown call, and the same for a call of another account', async () => {
  const stranger = await api.account();
  const [unknown, foreign] = await Promise.all([get(randomUUID()), get(await newCallId(), stranger.key)]);
  expect([unknown.status, foreign.status]).toEqual([404, 404]);
  expect([unknown.error().code, foreign.error().code]).toEqual(['call_not_found', 'call_not_found']);
  expect(unknown.error().message).toBe(foreign.error().message);
});
