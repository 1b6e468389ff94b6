import { randomUUID } from 'node:crypto';
import { callIdSchema, ledgerPageSchema } from '@outdial/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claimCall, driveCall } from '../../../test/drive.ts';
import { openApi, type TestApi } from '../../../test/open-api.ts';
import type { TestAccount } from '../../../test/seeds.ts';

let api: TestApi;
let account: TestAccount;

beforeAll(async () => {
  api = await openApi();
  account = await api.account({ capacity: 10 });
});
afterAll(() => api.close());

const end = (id: string, key = account.key) => api.request('POST', `/outbound/calls/${id}/end`, { key });
const newCallId = async (of = account) =>
  callIdSchema.parse((await api.request('POST', '/outbound/calls', { key: of.key, json: of.newCall })).call().id);

it('202 before dialing: the call is cancelled without a charge, and its slot and hold are released at once', async () => {
  const single = await api.account({ capacity: 1, balance: '0.03' });
  const id = await newCallId(single);
  const answer = await end(id, single.key);
  expect(answer.status).toBe(202);
  const call = answer.call();
  expect(call).toMatchObject({
    status: 'ended',
    ended_reason: 'cancelled',
    cost: 0,
    duration_seconds: 0,
    answered_at: null,
  });
  expect(call.started_at).toBe(call.ended_at);
  expect(call.recording_status).toBe('none');
  await expect
    .poll(async () => (await api.request('POST', '/outbound/calls', { key: single.key, json: single.newCall })).status)
    .toBe(201);
});

/** Schedules a call for later. */
async function planned(of: TestAccount) {
  const json = { ...of.newCall, scheduled_for: new Date(Date.now() + 3_600_000).toISOString() };
  return (await api.request('POST', '/outbound/calls', { key: of.key, json })).call().id;
}

describe('a scheduled call', () => {
  it('202: it has ended, was never dialed, and costs nothing, in one entry of the ledger', async () => {
    const owner = await api.account({ balance: '1.00' });
    const id = await planned(owner);
    const answer = await end(id, owner.key);
    expect(answer.status).toBe(202);
    const call = answer.call();
    expect(call).toMatchObject({
      status: 'ended',
      ended_reason: 'cancelled',
      cost: 0,
      cost_breakdown: { reserved: 0, items: [], total: 0 },
      duration_seconds: 0,
      answered_at: null,
      recording_status: 'none',
      waiting_for: null,
      next_call_id: null,
      campaign_id: null,
    });
    expect(call.started_at).toBe(call.ended_at);
    const ledger = await api.request('GET', '/account/ledger', { key: owner.key });
    const charges = ledgerPageSchema.parse(ledger.json).entries.filter(({ kind }) => kind === 'call_charge');
    expect(charges).toMatchObject([{ call_id: id, amount: 0, balance_after: 1 }]);
    const later = await end(id, owner.key);
    expect([later.status, later.call()]).toEqual([200, call]);
  });

  it('404 for another account, and it stays scheduled', async () => {
    const stranger = await api.account();
    const id = await planned(account);
    const read = (key: string) => api.request('GET', `/outbound/calls/${id}`, { key });
    for (const answer of [await read(stranger.key), await end(id, stranger.key)]) {
      expect([answer.status, answer.error().code]).toEqual([404, 'call_not_found']);
    }
    expect((await read(account.key)).call().status).toBe('scheduled');
  });
});

it('202 later: the call continues until its driver has seen the request', async () => {
  const id = await newCallId();
  const { store, call } = await claimCall(api.database, id);
  const answer = await end(id);
  expect([answer.status, answer.call().status]).toEqual([202, 'dialing']);
  const seen = await store.renewLease({ callId: id, epoch: call.epoch, leaseMs: 60_000 });
  expect(seen).toEqual({ kind: 'written', endRequested: true });
});

it('200 for a call that has ended, unchanged', async () => {
  const id = await newCallId();
  await driveCall(api.database, id);
  const before = (await api.request('GET', `/outbound/calls/${id}`, { key: account.key })).call();
  const answer = await end(id);
  expect([answer.status, answer.call()]).toEqual([200, before]);
});

it('400 for a malformed id, 404 for an unknown or another account’s call, which continues', async () => {
  const stranger = await api.account();
  const id = await newCallId();
  expect((await end('x')).error().code).toBe('invalid_request');
  for (const answer of [await end(randomUUID()), await end(id, stranger.key)]) {
    expect([answer.status, answer.error().code]).toEqual([404, 'call_not_found']);
  }
  expect((await api.request('GET', `/outbound/calls/${id}`, { key: account.key })).call().status).toBe('queued');
});
