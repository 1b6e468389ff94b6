import { randomUUID } from 'node:crypto';
import {
  callIdSchema,
  campaignEnvelopeSchema,
  operatedAccountListSchema,
  operationsEnvelopeSchema,
  toppedUpSchema,
} from '@outdial/contracts';
import { trunkOf } from '@outdial/calls/testing';
import { createOperationsReader, createWorkerRegistry } from '@outdial/persistence';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import type { Answer, RequestOptions } from '../../../test/client.ts';
import { driveCall } from '../../../test/drive.ts';
import { openApi, type TestApi } from '../../../test/open-api.ts';
import type { TestAccount } from '../../../test/seeds.ts';
import type { SignedIn } from '../../../test/sign-in.ts';

let api: TestApi;
let account: TestAccount;
let operator: SignedIn;
let owner: SignedIn;
let member: SignedIn;
beforeAll(async () => {
  api = await openApi();
  account = await api.account({ balance: '5.00', capacity: 20 });
  operator = await api.signIn({ isOperator: true });
  owner = await api.signIn({ memberships: [{ accountId: account.id, role: 'owner' }] });
  member = await api.signIn({ memberships: [{ accountId: account.id, role: 'member' }] });
});
afterAll(() => api.close());

const ask = (method: string, path: string, options: RequestOptions = {}, who = operator): Promise<Answer> =>
  api.request(method, `//api/dashboard/operations${path}`, {
    ...options,
    headers: { ...who.headers, ...options.headers },
  });
const read = async () => operationsEnvelopeSchema.parse((await ask('GET', '')).json).operations;

const tell = (id: string, liveCalls = 0) =>
  createWorkerRegistry(api.database).report({
    id,
    host: 'host',
    version: '1.0.0',
    startedAtMs: Date.now(),
    liveCalls,
    concurrency: 200,
    isStopping: false,
  });

const TRUNK = trunkOf({ name: 'main', channels: 30, callsPerSecond: 5 });
const openWaiting = () => createOperationsReader(api.database).waiting();

const topUp = (id: string, json: unknown) => ask('POST', `/accounts/${id}/top-ups`, { json });

const ROUTES = [
  ['GET', '', undefined],
  ['PUT', '/dialling', { paused: true }],
  ['PATCH', '/workers/one', { draining: true }],
  ['GET', '/accounts', undefined],
  ['POST', `/accounts/${randomUUID()}/top-ups`, { amount: '1.00', idempotency_key: 'x' }],
  ['GET', '/queues/', undefined],
  ['GET', '/queues/api/queues', undefined],
  ['GET', '/queues/static/js/main.js', undefined],
] as const;

describe.each(ROUTES)('%s /operations%s', (method, path, json) => {
  test.each([
    ['a member', () => member.headers],
    ['an owner', () => owner.headers],
  ])('403 to %s', async (_, headersOf) => {
    const answer = await api.request(method, `//api/dashboard/operations${path}`, { json, headers: headersOf() });
    expect([answer.status, answer.error().code]).toEqual([403, 'operator_only']);
  });

  test('401 without a session', async () => {
    const headers = { 'Sec-Fetch-Site': 'same-origin' };
    const answer = await api.request(method, `//api/dashboard/operations${path}`, { json, headers });
    expect([answer.status, answer.error().code]).toEqual([401, 'not_signed_in']);
  });
});

test.each(ROUTES.filter(([method]) => method !== 'GET'))(
  '%s /operations%s: 403 from another origin',
  async (method, path, json) => {
    const answer = await ask(method, path, { json, headers: { 'Sec-Fetch-Site': 'cross-site' } });
    expect([answer.status, answer.error().code]).toEqual([403, 'origin_not_allowed']);
  },
);

describe('GET /operations', () => {
  it('200: current calls, gate, funds and wait times', async () => {
    const { id } = (await api.request('POST', '/outbound/calls', { key: account.key, json: account.newCall })).call();
    const before = await read();
    expect(before.calls).toMatchObject({ open: 1, queued: 1, limit: 1_000, orphaned: 0 });
    expect(before.calls.oldest_queued_seconds).toBeGreaterThan(0);
    expect(before.gate).toMatchObject({ open: true, slots_in_use: 1 });
    expect(before.drift_slots).toBe(0);
    await expect.poll(async () => (await read()).queue).toEqual({ waiting: 1, delayed: 0, active: 0 });
    expect(before.funds).toEqual([{ currency: 'USD', held: expect.any(Number), balance: 5 }]);
    expect(before.funds[0]?.held).toBeGreaterThan(0);
    expect(before.dialling).toEqual({ paused: false, changed_at: null, changed_by: null });
    expect(before.trunks).toEqual([]);
    await driveCall(api.database, callIdSchema.parse(id), { talkMs: 30_000 });
    const times = await openWaiting();
    expect(times).toEqual([
      { atMs: expect.any(Number), calls: 1, p50Ms: expect.any(Number), p95Ms: expect.any(Number) },
    ]);
  });

  it('200: scheduled calls by account, and campaigns by state', async () => {
    const busy = await api.account();
    const post = (path: string, json?: object) =>
      api.request('POST', path, { key: busy.key, ...(json === undefined ? {} : { json }) });
    await post('/outbound/calls', { ...busy.newCall, scheduled_for: new Date(Date.now() + 3_600_000).toISOString() });
    const { id } = campaignEnvelopeSchema.parse(
      (await post('/campaigns', { name: 'Autumn', agent_id: busy.agentId })).json,
    ).campaign;
    await post(`/campaigns/${id}/contacts`, { contacts: [{ to_number: '+12025550101' }] });
    await post(`/campaigns/${id}/start`);
    await api.database.side.$executeRaw`
      UPDATE call_schedules SET due_at = now() - interval '1 minute' WHERE account_id = ${busy.id}::uuid`;
    const { accounts, campaigns } = await createOperationsReader(api.database).schedule();
    expect(accounts.find(({ accountId }) => accountId === busy.id)).toEqual({
      accountId: busy.id,
      name: expect.any(String),
      scheduled: 1,
      due: 1,
      late: 1,
      oldestDueMs: expect.any(Number),
    });
    expect(campaigns).toContainEqual({ state: 'running', campaigns: 1 });
    await expect.poll(async () => (await read()).schedule).toMatchObject({ scheduled: expect.any(Number) });
  });

  it('200: each trunk with the reports of the workers', async () => {
    await api.admin.trunks.add({ ...TRUNK, credentials: null });
    await api.database.side.$executeRaw`
      INSERT INTO trunk_health (trunk, worker_id, state, detail, told_at)
      VALUES ('main', 'one', 'unreachable', 'no answer to OPTIONS', now())`;
    expect((await read()).trunks).toEqual([
      {
        name: 'main',
        enabled: true,
        channels: 30,
        calls_per_second: 5,
        in_use: 0,
        conditions: [{ worker_id: 'one', state: 'unreachable', detail: 'no answer to OPTIONS' }],
      },
    ]);
    await api.admin.trunks.remove(TRUNK.name);
  });
});

describe('PUT /operations/dialling', () => {
  it('204: pauses with the operator and the time, and resumes', async () => {
    expect((await ask('PUT', '/dialling', { json: { paused: true } })).status).toBe(204);
    expect((await read()).dialling).toEqual({
      paused: true,
      changed_at: expect.any(String),
      changed_by: operator.email,
    });
    const [entry] = await api.database.side.$queryRaw<{ actor: string }[]>`
      SELECT actor FROM audit_entries WHERE action = 'dialling.pause'`;
    expect(entry?.actor).toBe(`user:${operator.userId}`);
    expect((await ask('PUT', '/dialling', { json: { paused: false } })).status).toBe(204);
    expect((await read()).dialling.paused).toBe(false);
  });

  it.each([{}, { paused: 'yes' }, { paused: true, more: 1 }])('400 for %j', async (json) => {
    expect((await ask('PUT', '/dialling', { json })).error().code).toBe('invalid_request');
  });
});

describe('PATCH /operations/workers/{worker_id}', () => {
  it('204: drains the worker, and lets it take calls again', async () => {
    const id = `host:7:${randomUUID()}`;
    await tell(id, 2);
    const stateOf = async () => (await read()).workers.find((worker) => worker.id === id);
    expect(await stateOf()).toMatchObject({ state: 'taking', live_calls: 2, concurrency: 200 });
    const path = `/workers/${encodeURIComponent(id)}`;
    expect((await ask('PATCH', path, { json: { draining: true } })).status).toBe(204);
    expect((await stateOf())?.state).toBe('draining');
    expect(await tell(id)).toEqual({ shouldDrain: true });
    expect((await ask('PATCH', path, { json: { draining: false } })).status).toBe(204);
    expect((await stateOf())?.state).toBe('taking');
  });

  it('404 for an unknown worker', async () => {
    const answer = await ask('PATCH', '/workers/nobody', { json: { draining: true } });
    expect([answer.status, answer.error().code]).toEqual([404, 'worker_not_found']);
  });

  it('400 for a name that Postgres rejects', async () => {
    const answer = await ask('PATCH', '/workers/a%00b', { json: { draining: true } });
    expect([answer.status, answer.error().code]).toEqual([400, 'invalid_request']);
  });
});

describe('accounts', () => {
  it('200: all of them, with their balances', async () => {
    const { accounts } = operatedAccountListSchema.parse((await ask('GET', '/accounts')).json);
    expect(accounts).toContainEqual(expect.objectContaining({ id: account.id, currency: 'USD', capacity: 20 }));
  });

  it('200: a top-up is added once and available at once', async () => {
    const { id, key, newCall } = await api.account({ balance: '0.000001' });
    const refused = await api.request('POST', '/outbound/calls', { key, json: newCall });
    expect(refused.error().code).toBe('insufficient_funds');
    const json = { amount: '25.50', idempotency_key: 'invoice-1' };
    const first = toppedUpSchema.parse((await topUp(id, json)).json);
    expect(first).toMatchObject({ repeated: false, account: { id, balance: 25.500_001 } });
    expect(toppedUpSchema.parse((await topUp(id, json)).json)).toMatchObject({ repeated: true });
    expect((await api.request('POST', '/outbound/calls', { key, json: newCall })).status).toBe(201);
    const other = await topUp(id, { ...json, amount: '1' });
    expect([other.status, other.error().code]).toEqual([422, 'idempotency_key_reused']);
  });

  it('400 names the limit of the balance for a top-up beyond it', async () => {
    const { id } = await api.account();
    const most = () => topUp(id, { amount: '999999999.999999', idempotency_key: randomUUID() });
    for (let times = 0; times < 9; times += 1) expect((await most()).status).toBe(200);
    const answer = await most();
    expect([answer.status, answer.error().param]).toEqual([400, 'amount']);
    expect(answer.error().message).toContain('balance above its limit of 9007199254.740991');
  });

  it.each(['0', '0.00', '-1', '1,5', '1.1234567', '1e3', '', '1000000000'])(
    '400 for an amount of "%s"',
    async (amount) => {
      const answer = await topUp(account.id, { amount, idempotency_key: 'x' });
      expect([answer.status, answer.error().param]).toEqual([400, 'amount']);
      expect(answer.error().message).toContain('above 0 and below 1000000000');
    },
  );

  it('404 for an unknown account', async () => {
    const answer = await topUp(randomUUID(), { amount: '1.00', idempotency_key: 'x' });
    expect([answer.status, answer.error().code]).toEqual([404, 'account_not_found']);
  });
});
