import { randomUUID } from 'node:crypto';
import { callIdSchema } from '@outdial/contracts';
import { countEndedCalls, createRetentionStore } from '@outdial/persistence';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { driveCall } from '../../../test/drive.ts';
import { openApi, type TestApi } from '../../../test/open-api.ts';
import type { TestAccount } from '../../../test/seeds.ts';

let api: TestApi;
let account: TestAccount;

beforeAll(async () => {
  api = await openApi();
  account = await api.account();
});
afterAll(() => api.close());

const create = (json: unknown, headers: Record<string, string> = {}, key = account.key) =>
  api.request('POST', '/outbound/calls', { key, json, headers });

describe('Idempotency-Key', () => {
  it('returns the same call in its current state, marked as a replay', async () => {
    const headers = { 'Idempotency-Key': `order ${randomUUID()}` };
    const first = await create(account.newCall, headers);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    const { id } = first.call();
    await api.request('POST', `/outbound/calls/${id}/end`, { key: account.key });
    const again = await create({ agent_id: account.agentId, to_number: '+12025550143' }, headers);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    expect(again.call()).toMatchObject({ id, status: 'ended', ended_reason: 'cancelled' });
  });

  it('returns a deleted call as it ended, and answers 422 once its key is forgotten, without dialing', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const created = await create(account.newCall, headers);
    const callId = callIdSchema.parse(created.call().id);
    await driveCall(api.database, callId);
    await countEndedCalls(api.database);
    await api.database.side.$executeRaw`
      UPDATE calls SET created_at = created_at - interval '40 days', started_at = started_at - interval '40 days',
        answered_at = answered_at - interval '40 days', ended_at = ended_at - interval '40 days' WHERE id = ${callId}::uuid`;
    const asEnded = (await create(account.newCall, headers)).call();
    const store = createRetentionStore(api.database);
    const deleted = await store.deleteCalls({ accountId: account.id, callIds: [callId], days: 30, keyDays: 30 });
    expect(deleted).toBe(1);
    expect((await api.request('GET', `/outbound/calls/${callId}`, { key: account.key })).status).toBe(404);

    const again = await create(account.newCall, headers);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    expect(again.call()).toEqual({ ...asEnded, transcript: null, summary: null });
    await api.database.side.$executeRaw`
      UPDATE deleted_call_keys SET expires_at = clock_timestamp() WHERE call_id = ${callId}::uuid`;
    const late = await create(account.newCall, headers);
    expect([late.status, late.error().code]).toEqual([422, 'idempotency_key_reused']);
  });

  it('answers 422 for another body', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    await create(account.newCall, headers);
    const other = await create({ ...account.newCall, metadata: { a: 1 } }, headers);
    expect(other.status).toBe(422);
    expect(other.error()).toMatchObject({ code: 'idempotency_key_reused', param: 'Idempotency-Key' });
  });

  it('answers before funds and capacity are checked', async () => {
    const poor = await api.account({ balance: '0.03', capacity: 1 });
    const headers = { 'Idempotency-Key': randomUUID() };
    const first = await create(poor.newCall, headers, poor.key);
    expect((await create(poor.newCall, {}, poor.key)).error().code).toBe('insufficient_funds');
    expect((await create(poor.newCall, headers, poor.key)).call().id).toBe(first.call().id);
  });

  it.each([['x'.repeat(300)], ['tab\tin it'], ['']])('answers 400 for an invalid key: %j', async (key) => {
    const answer = await create(account.newCall, { 'Idempotency-Key': key });
    expect(answer.status).toBe(400);
    expect(answer.error()).toMatchObject({ code: 'invalid_request', param: 'Idempotency-Key' });
  });
});
