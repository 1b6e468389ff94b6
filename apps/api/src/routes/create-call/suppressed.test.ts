import { accountEnvelopeSchema, callListSchema } from '@outdial/contracts';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openApi, type TestApi } from '../../../test/open-api.ts';
import { number, type TestAccount } from '../../../test/seeds.ts';

const HOUR_MS = 3_600_000;
const PLATFORM_NUMBER = number('+12025559999');

let api: TestApi;
let account: TestAccount;
beforeAll(async () => {
  api = await openApi();
  await api.admin.suppressionsOf(null).add({ numbers: [PLATFORM_NUMBER] });
});
beforeEach(async () => {
  account = await api.account({ capacity: 1, balance: '0.03' });
});
afterAll(() => api.close());

const create = (fields: Readonly<Record<string, unknown>> = {}, headers: Readonly<Record<string, string>> = {}) =>
  api.request('POST', '/outbound/calls', { key: account.key, json: { ...account.newCall, ...fields }, headers });
const suppress = (of = account) => api.admin.suppressionsOf(of.id).add({ numbers: [number(of.newCall.to_number)] });
const get = async (path: string) => (await api.request('GET', path, { key: account.key })).json;
const calls = async () => callListSchema.parse(await get('/outbound/calls')).calls;
const accountNow = async () => accountEnvelopeSchema.parse(await get('/account')).account;

const LATER = () => ({ scheduled_for: new Date(Date.now() + HOUR_MS).toISOString() });

it.each([
  ['the account, for a call now', {}, () => ({})],
  ['the account, for a call later', {}, LATER],
  ['the account, for a call with retries', {}, () => ({ retry: { max_attempts: 2 } })],
  ['the platform, for a call now', { to_number: PLATFORM_NUMBER }, () => ({})],
  ['the platform, for a call later', { to_number: PLATFORM_NUMBER }, LATER],
])('403 for a number on the list of %s: nothing is stored, and slot and hold are free', async (_, to, when) => {
  await suppress();
  const answer = await create({ ...to, ...when() });
  expect([answer.status, answer.error()]).toMatchObject([403, { code: 'suppressed', param: 'to_number' }]);
  expect(answer.error().message).toContain('do-not-call list');
  expect(await calls()).toEqual([]);
  // The only slot of the account, and most of its funds.
  await expect.poll(async () => (await accountNow()).capacity.in_use).toBe(0);
  await expect.poll(async () => (await accountNow()).wallet.held).toBe(0);
  await expect.poll(async () => (await create({ to_number: '+12025550177' })).status).toBe(201);
});

it('a repetition of a call that was accepted before the number was listed is still that call', async () => {
  const headers = { 'Idempotency-Key': 'reminder-1' };
  const first = await create({}, headers);
  await suppress();
  const again = await create({}, headers);
  expect([first.status, again.status, again.call().id]).toEqual([201, 201, first.call().id]);
});

it('the list of another account refuses nothing', async () => {
  await suppress(await api.account());
  expect((await create()).status).toBe(201);
});
