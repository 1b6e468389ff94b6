import { randomUUID } from 'node:crypto';
import { operatedAccountEnvelopeSchema, operatedAccountListSchema, toppedUpSchema } from '@outdial/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RequestOptions } from '../../../../test/client.ts';
import { openApi, type TestApi } from '../../../../test/open-api.ts';
import type { SignedIn } from '../../../../test/sign-in.ts';

let api: TestApi;
let operator: SignedIn;
beforeAll(async () => {
  api = await openApi();
  operator = await api.signIn({ isOperator: true });
});
afterAll(() => api.close());

const ask = (method: string, path: string, options: RequestOptions = {}) =>
  api.request(method, `//api/dashboard/operations/accounts${path}`, { ...options, headers: operator.headers });
const list = async (query: string) => operatedAccountListSchema.parse((await ask('GET', query)).json);
const auditOf = (subject: string) => api.database.side.$queryRaw<{ action: string; actor: string; data: unknown }[]>`
  SELECT action, actor, data FROM audit_entries WHERE subject_id = ${subject} AND actor LIKE 'user:%' ORDER BY id`;

describe('GET /operations/accounts', () => {
  it('200: in pages, newest first, each account once', async () => {
    const ids = [];
    for (let at = 0; at < 3; at += 1) ids.unshift((await api.account()).id);
    const first = await list('?limit=2');
    expect(first.accounts.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    const second = await list(`?limit=1&after=${first.next_after}`);
    expect(second.accounts.map(({ id }) => id)).toEqual(ids.slice(2));
  });

  it('200: finds part of a name, an id or a member’s e-mail; a wildcard is an ordinary character', async () => {
    const { id } = await api.admin.accounts.create({ name: '100% Plumbing_Co', currency: 'USD' });
    const { email } = await api.signIn({ memberships: [{ accountId: id, role: 'owner' }] });
    for (const search of ['plumbing', '100%', id.slice(4, 20), email.slice(2, 20)]) {
      const found = await list(`?search=${encodeURIComponent(search)}`);
      expect(found.accounts.map((account) => account.id)).toEqual([id]);
      expect(found.next_after).toBeNull();
    }
    expect((await list('?search=%25%25')).accounts).toEqual([]);
    expect((await list('?search=a_b')).accounts).toEqual([]);
  });

  it.each([
    ['limit', '?limit=0'],
    ['limit', '?limit=101'],
    ['after', '?after=x'],
    ['search', '?search=%00'],
    ['more', '?more=1'],
  ])('400 names %s: %s', async (param, query) => {
    const answer = await ask('GET', query);
    expect([answer.status, answer.error().param]).toEqual([400, param]);
  });
});

describe('one account', () => {
  it('200: one audited change sets its limits, and a new capacity takes effect at once', async () => {
    const { id, key, newCall } = await api.account({ capacity: 5 });
    const json = { name: 'Acme Two', capacity: 0, max_duration_seconds: 60, may_use_system_number: true };
    const { account } = operatedAccountEnvelopeSchema.parse((await ask('PATCH', `/${id}`, { json })).json);
    expect(account).toMatchObject({ ...json, ring_timeout_seconds: 120 });
    expect(operatedAccountEnvelopeSchema.parse((await ask('GET', `/${id}`)).json).account).toEqual(account);
    expect(await auditOf(id)).toEqual([{ action: 'account.update', actor: `user:${operator.userId}`, data: json }]);
    const refused = await api.request('POST', '/outbound/calls', { key, json: newCall });
    expect(refused.error().code).toBe('capacity_exceeded');
  });

  it('200: disabled, its keys stop; enabled, they work again', async () => {
    const { id, key } = await api.account();
    expect((await ask('PUT', `/${id}/enabled`, { json: { enabled: false } })).json).toMatchObject({
      account: { enabled: false },
    });
    const statusNow = async () => (await api.request('GET', '/account', { key })).status;
    await expect.poll(statusNow).toBe(401);
    expect((await ask('PUT', `/${id}/enabled`, { json: { enabled: true } })).status).toBe(200);
    await expect.poll(statusNow).toBe(200);
    expect((await auditOf(id)).map(({ action }) => action)).toEqual(['account.disable', 'account.enable']);
  });

  it.each([
    [{}, 'body'],
    [{ capacity: -1 }, 'capacity'],
    [{ capacity: 1.5 }, 'capacity'],
    [{ max_duration_seconds: 7_201 }, 'max_duration_seconds'],
    [{ ring_timeout_seconds: 4 }, 'ring_timeout_seconds'],
    [{ name: ' ' }, 'name'],
    [{ balance: 5 }, 'balance'],
  ])('400 for %j', async (json, param) => {
    const { id } = await api.account();
    const answer = await ask('PATCH', `/${id}`, { json });
    expect([answer.status, answer.error().param]).toEqual([400, param]);
  });

  it.each([
    ['GET', '', undefined],
    ['PATCH', '', { capacity: 1 }],
    ['PUT', '/enabled', { enabled: true }],
  ])('404 for %s of an unknown account', async (method, path, json) => {
    const answer = await ask(method, `/${randomUUID()}${path}`, { json });
    expect([answer.status, answer.error().code]).toEqual([404, 'account_not_found']);
  });
});

describe('POST …/top-ups', () => {
  it('ten concurrent requests with one key add the amount and an audit entry once', async () => {
    const { id } = await api.account({ balance: '1.00' });
    const json = { amount: '10.00', idempotency_key: 'order-7' };
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask('POST', `/${id}/top-ups`, { json })));
    const bodies = answers.map((answer) => toppedUpSchema.parse(answer.json));
    expect(bodies.filter(({ repeated }) => !repeated).length).toBeLessThanOrEqual(1);
    const { account } = operatedAccountEnvelopeSchema.parse((await ask('GET', `/${id}`)).json);
    expect(account.balance).toBe(11);
    expect((await auditOf(id)).map(({ action }) => action)).toEqual(['wallet.top_up']);
  });
});
