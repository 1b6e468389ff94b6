import { randomInt, randomUUID } from 'node:crypto';
import { operatedNumberListSchema } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RequestOptions } from '../../../../test/client.ts';
import { openApi, type TestApi } from '../../../../test/open-api.ts';
import { number } from '../../../../test/seeds.ts';
import type { SignedIn } from '../../../../test/sign-in.ts';

let api: TestApi;
let operator: SignedIn;
beforeAll(async () => {
  api = await openApi();
  operator = await api.signIn({ isOperator: true });
});
afterAll(() => api.close());

const ask = (method: string, path: string, options: RequestOptions = {}) =>
  api.request(method, `//api/dashboard/operations${path}`, { ...options, headers: operator.headers });
const newNumber = () => number(`+4420${String(randomInt(100_000_000)).padStart(8, '0')}`);
const list = async (query: string) => operatedNumberListSchema.parse((await ask('GET', `/numbers${query}`)).json);
async function find(e164: string) {
  const [found] = (await list(`?search=${encodeURIComponent(e164)}`)).numbers;
  invariant(found, 'the number is in the list');
  return found;
}

describe('numbers', () => {
  it('is added, assigned to an account that can call from it at once, and unassigned', async () => {
    const { id, key, newCall } = await api.account({ withoutNumber: true });
    const e164 = newNumber();
    expect((await ask('POST', '/numbers', { json: { number: e164, account_id: null } })).status).toBe(204);
    const added = await find(e164);
    expect(added).toMatchObject({ account: null, is_default: false, outbound_enabled: true });
    const place = () => api.request('POST', '/outbound/calls', { key, json: { ...newCall, from_number: e164 } });
    expect((await place()).error().code).toBe('from_number_not_allowed');

    expect((await ask('PUT', `/numbers/${added.id}/account`, { json: { account_id: id } })).status).toBe(204);
    expect((await find(e164)).account).toEqual({ id, name: 'Acme' });
    await expect.poll(async () => (await place()).status).toBe(201);
    expect((await list(`?account_id=${id}`)).numbers.map((each) => each.number)).toEqual([e164]);

    expect((await ask('PUT', `/numbers/${added.id}/account`, { json: { account_id: null } })).status).toBe(204);
    await expect.poll(async () => (await place()).status).toBe(403);
    const actions = await api.database.side.$queryRaw<{ action: string }[]>`
      SELECT action FROM audit_entries
      WHERE actor = ${`user:${operator.userId}`} AND subject_id IN (${e164}, ${added.id}) ORDER BY id`;
    expect(actions.map(({ action }) => action)).toEqual(['number.add', 'number.assign', 'number.assign']);
  });

  it('is no longer an account’s default when another account gets it', async () => {
    const [before, after] = [await api.account(), await api.account()];
    const { id } = await find(before.fromNumber);
    await ask('PUT', `/numbers/${id}/account`, { json: { account_id: after.id } });
    expect(await find(before.fromNumber)).toMatchObject({ account: { id: after.id }, is_default: false });
    expect(await find(after.fromNumber)).toMatchObject({ is_default: true });
  });

  it('while disabled, places no call', async () => {
    const { key, newCall, fromNumber } = await api.account();
    const { id } = await find(fromNumber);
    expect((await ask('PUT', `/numbers/${id}/outbound`, { json: { enabled: false } })).status).toBe(204);
    const place = () => api.request('POST', '/outbound/calls', { key, json: newCall });
    await expect.poll(async () => (await place()).status).toBe(403);
  });

  it('serves, as the system’s default, the accounts that may use it; the system has one default', async () => {
    const [first, second] = [newNumber(), newNumber()];
    for (const each of [first, second]) await ask('POST', '/numbers', { json: { number: each, account_id: null } });
    const ids = [(await find(first)).id, (await find(second)).id];
    const answers = await Promise.all(ids.map((id) => ask('PUT', '/system-number', { json: { number_id: id } })));
    expect(answers.map(({ status }) => status)).toEqual([204, 204]);
    const defaults = (await list('')).numbers.filter((each) => each.account === null && each.is_default);
    expect(defaults.length).toBe(1);
    const { key, newCall } = await api.account({ withoutNumber: true, mayUseSystemNumber: true });
    const placed = (await api.request('POST', '/outbound/calls', { key, json: newCall })).call();
    expect(placed.caller_number).toBe(defaults[0]?.number);
  });

  it('200: in pages, each number once', async () => {
    const all = await list('?limit=100');
    const seen = [];
    for (let after = ''; ;) {
      const page = await list(`?limit=2${after}`);
      seen.push(...page.numbers.map(({ id }) => id));
      if (page.next_after === null) break;
      after = `&after=${page.next_after}`;
    }
    expect(seen).toEqual(all.numbers.map(({ id }) => id));
  });
});

describe('rejected without a change', () => {
  it('409: the owner has the number already', async () => {
    const { id, fromNumber } = await api.account();
    const json = { number: fromNumber, account_id: id };
    const answer = await ask('POST', '/numbers', { json });
    expect([answer.status, answer.error().code, answer.error().param]).toEqual([409, 'number_exists', 'number']);
  });

  it('404: unknown account, unknown number, not a number of the system', async () => {
    const { id, fromNumber } = await api.account();
    const own = await find(fromNumber);
    const add = await ask('POST', '/numbers', { json: { number: newNumber(), account_id: randomUUID() } });
    const assign = await ask('PUT', `/numbers/${own.id}/account`, { json: { account_id: randomUUID() } });
    const unknown = await ask('PUT', `/numbers/${randomUUID()}/account`, { json: { account_id: id } });
    const outbound = await ask('PUT', `/numbers/${randomUUID()}/outbound`, { json: { enabled: true } });
    const system = await ask('PUT', '/system-number', { json: { number_id: own.id } });
    const codes = [add, assign, unknown, outbound, system].map((answer) => [answer.status, answer.error().code]);
    expect(codes).toEqual([
      [404, 'account_not_found'],
      [404, 'account_not_found'],
      [404, 'phone_number_not_found'],
      [404, 'phone_number_not_found'],
      [404, 'phone_number_not_found'],
    ]);
    expect((await find(fromNumber)).account?.id).toBe(id);
  });

  it.each([
    ['POST', '/numbers', { number: '202', account_id: null }, 'number'],
    ['POST', '/numbers', { number: '+12025550143' }, 'account_id'],
    ['PUT', `/numbers/${randomUUID()}/account`, { account_id: 'x' }, 'account_id'],
    ['PUT', `/numbers/${randomUUID()}/outbound`, { enabled: 1 }, 'enabled'],
    ['PUT', '/system-number', {}, 'number_id'],
    ['PUT', '/numbers/x/outbound', { enabled: true }, 'number_id'],
  ])('400: %s %s %j', async (method, path, json, param) => {
    const answer = await ask(method, path, { json });
    expect([answer.status, answer.error().param]).toEqual([400, param]);
  });
});
