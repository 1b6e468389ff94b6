import { randomUUID } from 'node:crypto';
import type { TrunkAvailability } from '@outdial/calls';
import { agentSettingsSchema } from '@outdial/contracts';
import { createTrunkAvailabilityStore } from '@outdial/persistence';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApi, type TestApi } from '../../../test/open-api.ts';
import { number, type TestAccount } from '../../../test/seeds.ts';

let api: TestApi;
let account: TestAccount;

beforeAll(async () => {
  api = await openApi();
  account = await api.account();
});
afterAll(() => api.close());

const create = (json: unknown, headers: Record<string, string> = {}, key = account.key) =>
  api.request('POST', '/outbound/calls', { key, json, headers });

describe('201', () => {
  it('is the queued call with every field and its Location', async () => {
    const variables = { name: 'Ada 📞' };
    const metadata = { order: 17, tags: ['a', null], nested: { deep: true } };
    const limits = { max_duration_seconds: 300, ring_timeout_seconds: 20 };
    const answer = await create({ ...account.newCall, variables, metadata, ...limits });
    expect(answer.status).toBe(201);
    const call = answer.call();
    expect(answer.headers.get('location')).toBe(`/api/v1/outbound/calls/${call.id}`);
    expect(call).toEqual({
      id: call.id,
      owner_id: account.id,
      agent_id: account.agentId,
      agent_version: 1,
      caller_number: account.fromNumber,
      callee_number: '+12025550143',
      direction: 'outbound',
      status: 'queued',
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
      cost_breakdown: { reserved: 0.024, items: [], total: 0 },
      usage: [],
      ended_reason: null,
      failure: null,
      sip_code: null,
      sip: null,
      variables,
      metadata,
      limits,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      scheduled_for: null,
      expires_at: null,
      waiting_for: null,
      attempt: 1,
      retry_of: null,
      next_call_id: null,
      campaign_id: null,
    });
    expect((await api.request('GET', `/outbound/calls/${call.id}`, { key: account.key })).call()).toEqual(call);
  });

  it('keeps the order of variables and metadata, then and later', async () => {
    const metadata = '{"zebra":1,"apple":{"long name":[1.5,-0.25],"b":null},"m":1e2,"aa":"x","Ж":true}';
    const variables = '{"name":"Ada","day":"Monday","a":"b"}';
    const body = `{"metadata":${metadata},"variables":${variables},${JSON.stringify(account.newCall).slice(1)}`;
    const headers = { 'Idempotency-Key': randomUUID() };
    const send = () => api.request('POST', '/outbound/calls', { key: account.key, body, headers });
    const created = await send();
    const { id } = created.call();
    const answers = [
      created,
      await send(),
      await api.request('GET', `/outbound/calls/${id}`, { key: account.key }),
      await api.request('GET', '/outbound/calls?limit=1', { key: account.key }),
    ];
    for (const { text } of answers) {
      expect(text).toContain(`"metadata":${metadata.replace('1e2', '100')}`);
      expect(text).toContain(`"variables":${variables}`);
    }
  });

  it('uses the requested number, else the default of the account, else the permitted system number', async () => {
    const second = number('+12025550199');
    await api.admin.numbers.add({ accountId: account.id, e164: second });
    // The directory is at most a second old.
    const fresh = await api.account();
    expect((await create(fresh.newCall, {}, fresh.key)).call().caller_number).toBe(fresh.fromNumber);
    const permitted = await api.account({ withoutNumber: true, mayUseSystemNumber: true });
    const systemNumber = number('+18005550100');
    await api.admin.numbers.add({ accountId: null, e164: systemNumber, isDefault: true });
    expect((await create(permitted.newCall, {}, permitted.key)).call().caller_number).toBe(systemNumber);
  });

  it('accepts an agent that another account granted', async () => {
    const owner = await api.account();
    const other = await api.account();
    await api.admin.agents.grant({ agentId: owner.agentId, accountId: other.id });
    expect((await create(owner.newCall, {}, other.key)).status).toBe(201);
  });
});

describe('422', () => {
  it('provider_not_configured: the agent uses a provider without a credential', async () => {
    const model = { provider: 'openai', model: 'gpt-realtime-2.1' };
    const settings = agentSettingsSchema.parse({ driver: 'realtime', name: 'Anna', instructions: 'Be kind.', model });
    const agent = await api.admin.agents.create({ accountId: account.id, settings });
    const answer = await create({ ...account.newCall, agent_id: agent.id });
    expect(answer.status).toBe(422);
    expect(answer.error()).toMatchObject({
      code: 'provider_not_configured',
      param: 'agent_id',
      details: { provider: 'openai', path: 'model' },
    });
  });
});

describe('403', () => {
  it('agent_access_denied: the agent of another account and an unknown one look the same', async () => {
    const other = await api.account();
    const [foreign, unknown] = await Promise.all([
      create({ ...account.newCall, agent_id: other.agentId }),
      create({ ...account.newCall, agent_id: randomUUID() }),
    ]);
    expect([foreign.status, unknown.status]).toEqual([403, 403]);
    const { request_id: _foreignId, ...foreignError } = foreign.error();
    const { request_id: _unknownId, ...unknownError } = unknown.error();
    expect(foreignError).toEqual(unknownError);
    expect(foreignError).toMatchObject({ code: 'agent_access_denied', param: 'agent_id' });
  });

  it('from_number_not_allowed: the number of another account, or an unknown one', async () => {
    const other = await api.account();
    for (const from_number of [other.fromNumber, '+13335550100']) {
      const answer = await create({ ...account.newCall, from_number });
      expect(answer.status).toBe(403);
      expect(answer.error()).toMatchObject({ code: 'from_number_not_allowed', param: 'from_number' });
    }
  });

  it('no_outbound_number', async () => {
    const without = await api.account({ withoutNumber: true });
    const answer = await create(without.newCall, {}, without.key);
    expect(answer.status).toBe(403);
    expect(answer.error()).toMatchObject({ code: 'no_outbound_number', param: 'from_number' });
  });

  it('destination_not_allowed: without a rate, or blocked', async () => {
    const blocked = await api.account();
    await api.admin.blockedDestinations.add({ accountId: blocked.id, prefix: '1900' });
    for (const to_number of ['+442079460000', '+19005550100']) {
      const answer = await create({ ...blocked.newCall, to_number }, {}, blocked.key);
      expect(answer.status).toBe(403);
      expect(answer.error()).toMatchObject({ code: 'destination_not_allowed', param: 'to_number' });
    }
  });
});

it('402 insufficient_funds states the required and the available amount', async () => {
  const poor = await api.account({ balance: '0.03' });
  expect((await create(poor.newCall, {}, poor.key)).status).toBe(201);
  const answer = await create(poor.newCall, {}, poor.key);
  expect(answer.status).toBe(402);
  expect(answer.error()).toMatchObject({
    code: 'insufficient_funds',
    details: { required: 0.024, available: 0.006, currency: 'USD' },
  });
});

it('429 capacity_exceeded of the account states the number of slots', async () => {
  const small = await api.account({ capacity: 1 });
  expect((await create(small.newCall, {}, small.key)).status).toBe(201);
  const answer = await create(small.newCall, {}, small.key);
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '5']);
  expect(answer.error()).toMatchObject({
    code: 'capacity_exceeded',
    details: { scope: 'account', limit: 1, in_use: 1 },
  });
});

const save = (availability: TrunkAvailability) =>
  createTrunkAvailabilityStore(api.database).save('worker', availability);

describe('503 no_trunk_available', () => {
  afterAll(() => createTrunkAvailabilityStore(api.database).remove('worker'));

  it('carries Retry-After, is checked before funds and capacity, and ends once a call may wait for a trunk', async () => {
    const broke = await api.account({ balance: '0', capacity: 0 });
    const refusal = async () => {
      const answer = await create(broke.newCall, {}, broke.key);
      return { status: answer.status, code: answer.error().code, retryAfter: answer.headers.get('retry-after') };
    };
    // The API may have read the trunks half a second ago.
    await save({ kind: 'none' });
    await expect.poll(refusal).toEqual({ status: 503, code: 'no_trunk_available', retryAfter: '30' });
    expect((await create(account.newCall)).status).toBe(503);
    await save({ kind: 'out', forMs: 5_000, backInMs: null });
    await expect.poll(refusal).toMatchObject({ status: 402, code: 'insufficient_funds' });
    expect((await create(account.newCall)).status).toBe(201);
  });
});

it('413 body_too_large for a megabyte, and the connection stays open', async () => {
  const answer = await create({ ...account.newCall, metadata: { note: 'x'.repeat(1_000_000) } });
  expect([answer.status, answer.error().code, answer.error().param]).toEqual([413, 'body_too_large', 'body']);
  expect((await create(account.newCall)).status).toBe(201);
});

it('415 unsupported_media_type', async () => {
  const body = JSON.stringify(account.newCall);
  for (const contentType of ['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=utf-16']) {
    const headers = { 'Content-Type': contentType };
    const answer = await api.request('POST', '/outbound/calls', { key: account.key, body, headers });
    expect(answer.status).toBe(415);
    expect(answer.error()).toMatchObject({ code: 'unsupported_media_type', param: 'Content-Type' });
  }
});

describe('the order of the checks', () => {
  it('is that of the interface: the first failed check answers', async () => {
    const broke = await api.account({ balance: '0', capacity: 0, withoutNumber: true });
    const stranger = await api.account();
    const number442 = '+442079460000';
    // From the last check to the first: each request also fails all later ones.
    const codeOf = async (json: unknown) => (await create(json, {}, broke.key)).error().code;
    expect(await codeOf({ to_number: 'x', agent_id: stranger.agentId })).toBe('invalid_request');
    expect(await codeOf({ to_number: number442, agent_id: stranger.agentId })).toBe('agent_access_denied');
    expect(await codeOf({ ...broke.newCall, to_number: number442, from_number: '+13335550100' })).toBe(
      'from_number_not_allowed',
    );
    expect(await codeOf({ ...broke.newCall, to_number: number442 })).toBe('no_outbound_number');
    const poor = await api.account({ balance: '0', capacity: 0 });
    const codeOfPoor = async (json: unknown) => (await create(json, {}, poor.key)).error().code;
    expect(await codeOfPoor({ ...poor.newCall, to_number: number442 })).toBe('destination_not_allowed');
    expect(await codeOfPoor(poor.newCall)).toBe('insufficient_funds');
    const full = await api.account({ capacity: 0 });
    expect((await create(full.newCall, {}, full.key)).error().code).toBe('capacity_exceeded');
  });
});

describe('the log', () => {
  it('has a line for each accepted or rejected call with its ids, without a key or a full number', async () => {
    const poor = await api.account({ balance: '0.03' });
    const requestIds = ['log-accepted', 'log-refused'];
    for (const requestId of requestIds) await create(poor.newCall, { 'X-Request-Id': requestId }, poor.key);
    const [accepted, refused] = requestIds.map((requestId) =>
      api.logLines
        .map((line): unknown => JSON.parse(line))
        .find((line) => hasFields(line, { requestId, level: 'info' })),
    );
    expect(accepted).toMatchObject({
      event: 'call.accepted',
      msg: 'call accepted',
      accountId: poor.id,
      callId: expect.any(String),
      toNumber: '+120•••43',
    });
    expect(refused).toMatchObject({
      event: 'call.rejected',
      msg: 'call rejected',
      accountId: poor.id,
      reason: 'insufficient_funds',
    });
    const log = api.logLines.join('');
    for (const secret of [poor.key, account.key, poor.newCall.to_number, poor.fromNumber])
      expect(log).not.toContain(secret);
  });
});

function hasFields(line: unknown, fields: Record<string, string>): boolean {
  if (typeof line !== 'object' || line === null) return false;
  return Object.entries(fields).every(([name, value]) => Reflect.get(line, name) === value);
}
