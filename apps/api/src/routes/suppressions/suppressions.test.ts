import { randomUUID } from 'node:crypto';
import {
  createdSuppressionsSchema,
  suppressionChecksSchema,
  suppressionEnvelopeSchema,
  suppressionListSchema,
} from '@outdial/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDesk } from '../../../test/desk.ts';
import { openApi, type TestApi } from '../../../test/open-api.ts';
import { number, type TestAccount } from '../../../test/seeds.ts';

const ADA = '+12025551000';
const BEN = '+12025551001';

let api: TestApi;
let account: TestAccount;
beforeAll(async () => {
  api = await openApi();
});
beforeEach(async () => {
  account = await api.account({ scopes: ['outbound', 'manage'] });
});
afterAll(() => api.close());

const ask = (method: string, path: string, json?: unknown, key = account.key) =>
  api.request(method, `/suppressions${path}`, { key, ...(json === undefined ? {} : { json }) });
const add = (numbers: readonly string[], reason?: string, key = account.key) =>
  ask('POST', '', { numbers, reason }, key);
const list = async (query = '', key = account.key) =>
  suppressionListSchema.parse((await ask('GET', query, undefined, key)).json);
const idOf = async (number: string) => (await list(`?number=${encodeURIComponent(number)}`)).suppressions[0]?.id ?? '';

describe('POST /suppressions', () => {
  it('201: says how many were new, with the entries of all; a repetition changes nothing', async () => {
    const first = await add([BEN, ADA], 'asked by e-mail');
    expect(first.status).toBe(201);
    const { added, suppressions } = createdSuppressionsSchema.parse(first.json);
    expect([added, suppressions.map(({ number }) => number)]).toEqual([2, [ADA, BEN]]);
    expect(suppressions[0]).toMatchObject({ kind: 'manual', source: 'api', reason: 'asked by e-mail', call_id: null });
    expect(createdSuppressionsSchema.parse((await add([ADA, BEN], 'again')).json)).toEqual({ added: 0, suppressions });
  });

  it('400 names what is wrong', async () => {
    const tooMany = Array.from({ length: 501 }, (_, at) => `+${12_025_551_000 + at}`);
    for (const [json, param] of [
      [{}, 'numbers'],
      [{ numbers: [] }, 'numbers'],
      [{ numbers: tooMany }, 'numbers'],
      [{ numbers: [ADA, '2025551000'] }, 'numbers.1'],
      [{ numbers: [ADA], reason: 'x'.repeat(501) }, 'reason'],
      [{ numbers: [ADA], note: 'x' }, 'note'],
    ] as const) {
      const answer = await ask('POST', '', json);
      expect([answer.status, answer.error().param]).toEqual([400, param]);
    }
  });

  it('409 beyond the bound of the account, and nothing is added', async () => {
    await api.database.side.$executeRaw`
      INSERT INTO suppression_counts (account_id, manual) VALUES (${account.id}::uuid, 4999999)`;
    const answer = await add([ADA, BEN]);
    expect([answer.status, answer.error()]).toMatchObject([
      409,
      { code: 'too_many_suppressions', details: { limit: 5_000_000 } },
    ]);
    expect((await list()).suppressions).toEqual([]);
  });
});

describe('GET /suppressions', () => {
  it('200: pages, newest first, by number and by kind', async () => {
    for (const number of [ADA, BEN, '+12025551002']) await add([number]);
    const first = await list('?limit=2');
    expect([first.has_more, first.suppressions.map(({ number }) => number)]).toEqual([true, ['+12025551002', BEN]]);
    const second = await list(`?limit=2&cursor=${first.next_cursor}`);
    expect([second.has_more, second.next_cursor]).toEqual([false, null]);
    expect(second.suppressions.map(({ number }) => number)).toEqual([ADA]);
    expect((await list('?kind=opt_out')).suppressions).toEqual([]);
    expect((await list('?number=%2B12025551001')).suppressions).toMatchObject([{ number: BEN }]);
  });

  it('400: a wrong filter, or the cursor of another account', async () => {
    const other = await api.account();
    await add([ADA, BEN], undefined, other.key);
    const theirs = (await list('?limit=1', other.key)).next_cursor;
    for (const query of [`cursor=${theirs}`, 'cursor=x', 'limit=0', 'limit=101', 'kind=x', 'number=+12025551000']) {
      const answer = await ask('GET', `?${query}`);
      expect([answer.status, answer.error().param]).toEqual([400, query.split('=')[0]]);
    }
  });
});

it('POST /suppressions/check, 200: whose list each number is on, in the order of the request', async () => {
  await add([ADA]);
  const platform = number('+12025559999');
  await api.admin.suppressionsOf(null).add({ numbers: [platform] });
  const answer = await ask('POST', '/check', { numbers: [platform, BEN, ADA] });
  const { results } = suppressionChecksSchema.parse(answer.json);
  expect(results).toMatchObject([
    { number: platform, suppressed: true, by: 'platform', suppression: null },
    { number: BEN, suppressed: false, by: null, suppression: null },
    { number: ADA, suppressed: true, by: 'account', suppression: { number: ADA, kind: 'manual' } },
  ]);
});

const remove = (id: string, json: unknown = { reason: 'a mistake' }, key = account.key) =>
  ask('DELETE', `/${id}`, json, key);

describe('DELETE /suppressions/{suppression_id}', () => {
  it('200: the number may be called again, and a second time 404', async () => {
    await add([ADA]);
    const id = await idOf(ADA);
    const answer = await remove(id);
    expect([answer.status, suppressionEnvelopeSchema.parse(answer.json).suppression]).toMatchObject([
      200,
      { id, number: ADA },
    ]);
    expect((await list()).suppressions).toEqual([]);
    expect([(await remove(id)).status, (await remove(id)).error().code]).toEqual([404, 'suppression_not_found']);
  });

  it('409 for an opt-out, which stands', async () => {
    const call = (await api.request('POST', '/outbound/calls', { key: account.key, json: account.newCall })).call();
    const path = `/outbound/calls/${call.id}/opt-out`;
    const optOut = await api.request('POST', path, { key: account.key, json: { reason: 'no more calls' } });
    const { suppression } = suppressionEnvelopeSchema.parse(optOut.json);
    const answer = await remove(suppression.id);
    expect([answer.status, answer.error().code]).toEqual([409, 'opt_out_stands']);
    expect((await list()).suppressions).toEqual([suppression]);
  });

  it('404 for an unknown entry and for another account’s, which stays', async () => {
    const other = await api.account();
    await add([ADA], undefined, other.key);
    const theirs = (await list('', other.key)).suppressions[0]?.id ?? '';
    for (const id of [theirs, randomUUID()]) {
      const answer = await remove(id);
      expect([answer.status, answer.error().code]).toEqual([404, 'suppression_not_found']);
    }
    expect((await list('', other.key)).suppressions).toHaveLength(1);
    expect((await list()).suppressions).toEqual([]);
  });

  it('400 without a reason, or with an id that is none; 403 without the scope manage', async () => {
    await add([ADA]);
    const id = await idOf(ADA);
    expect((await remove(id, {})).error().param).toBe('reason');
    expect((await remove(id, { reason: ' ' })).error().param).toBe('reason');
    expect((await remove('x')).error().param).toBe('suppression_id');
    const { key } = await api.account();
    expect((await remove(id, { reason: 'x' }, key)).error().code).toBe('scope_missing');
  });
});

it('429 for adds beyond the turns of the account; those that have a turn are added', async () => {
  await add([ADA]);
  const { sent } = await api.database.side.$transaction(async (held) => {
    await held.$executeRaw`SELECT FROM suppression_counts WHERE account_id = ${account.id}::uuid FOR UPDATE`;
    // No add of the account ends before one is refused.
    const adds = Array.from({ length: 30 }, (_, at) => add([`+${12_025_560_000 + at}`]));
    expect((await Promise.race(adds)).status).toBe(429);
    return { sent: adds };
  });
  const answers = await Promise.all(sent);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 429]));
  for (const answer of answers.filter(({ status }) => status === 429)) expect(answer.error().code).toBe('rate_limited');
});

it('a burst of adds does not hold up another account', async () => {
  const other = await api.account();
  const sent = Array.from({ length: 30 }, (_, at) => add([`+${12_025_560_000 + at}`]));
  expect((await add([ADA], undefined, other.key)).status).toBe(201);
  await Promise.all(sent);
});

it('a member adds and checks in the dashboard, only an owner removes, and the audit names both', async () => {
  const member = await openDesk(api, account.id, 'member');
  const owner = await openDesk(api, account.id);
  const answer = await member.request('POST', 'suppressions', { json: { numbers: [ADA] } });
  const [entry] = createdSuppressionsSchema.parse(answer.json).suppressions;
  expect(entry).toMatchObject({ source: 'dashboard' });
  expect((await member.request('POST', 'suppressions/check', { json: { numbers: [ADA] } })).status).toBe(200);
  const json = { reason: 'a mistake' };
  const refused = await member.request('DELETE', `suppressions/${entry?.id}`, { json });
  expect([refused.status, refused.error().code]).toEqual([403, 'owner_only']);
  expect((await owner.request('DELETE', `suppressions/${entry?.id}`, { json })).status).toBe(200);
  const rows = await api.database.side.$queryRaw`
    SELECT actor, action FROM audit_entries WHERE data->>'account_id' = ${account.id} AND subject_type = 'suppression' ORDER BY id`;
  expect(rows).toEqual([
    { actor: `user:${member.userId}`, action: 'suppression.add' },
    { actor: `user:${owner.userId}`, action: 'suppression.remove' },
  ]);
});
