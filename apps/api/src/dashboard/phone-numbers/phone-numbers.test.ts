import { randomUUID } from 'node:crypto';
import { phoneNumberEnvelopeSchema, phoneNumberListSchema } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openDesk, type Desk } from '../../../test/desk.ts';
import { openApi, type TestApi } from '../../../test/open-api.ts';
import { number, type TestAccount } from '../../../test/seeds.ts';

let api: TestApi;
let account: TestAccount;
let owner: Desk;
beforeAll(async () => {
  api = await openApi();
});
beforeEach(async () => {
  account = await api.account();
  owner = await openDesk(api, account.id);
});
afterAll(() => api.close());

const list = async () => phoneNumberListSchema.parse((await owner.request('GET', 'phone-numbers')).json).phone_numbers;
const update = (id: string, json: unknown, by = owner) => by.request('PATCH', `phone-numbers/${id}`, { json });
const add = async (e164: string) => api.admin.numbers.add({ accountId: account.id, e164: number(e164) });
const create = () => api.request('POST', '/outbound/calls', { key: account.key, json: account.newCall });

it('200: lists the default first; another number can replace it', async () => {
  const second = await add('+12025550177');
  const [first] = await list();
  expect(first).toMatchObject({ number: account.fromNumber, active: true, outbound_enabled: true, is_default: true });
  const answer = await update(second.id, { is_default: true });
  expect([answer.status, phoneNumberEnvelopeSchema.parse(answer.json).phone_number.is_default]).toEqual([200, true]);
  expect((await list()).map(({ id, is_default }) => [id, is_default])).toEqual([
    [second.id, true],
    [first?.id, false],
  ]);
});

it('200: a disabled number places no calls within a second, and places calls again when enabled', async () => {
  const [only] = await list();
  invariant(only, 'the account has its number');
  await update(only.id, { outbound_enabled: false });
  await expect.poll(async () => (await create()).status).toBe(403);
  expect((await create()).error().code).toBe('no_outbound_number');
  expect(
    phoneNumberEnvelopeSchema.parse((await update(only.id, { outbound_enabled: true })).json).phone_number,
  ).toEqual(only);
  await expect.poll(async () => (await create()).status).toBe(201);
});

it('400 names what is wrong; 413 and 415', async () => {
  const [only] = await list();
  for (const [json, param] of [
    [{}, 'body'],
    [{ is_default: false }, 'is_default'],
    [{ outbound_enabled: 'yes' }, 'outbound_enabled'],
    [{ active: false }, 'active'],
  ] as const) {
    const answer = await update(only?.id ?? '', json);
    expect([answer.status, answer.error().param]).toEqual([400, param]);
  }
  expect((await update('x', { is_default: true })).error().param).toBe('phone_number_id');
  expect((await update(only?.id ?? '', { x: 'x'.repeat(70_000) })).status).toBe(413);
  const headers = { 'Content-Type': 'text/plain' };
  expect((await owner.request('PATCH', `phone-numbers/${only?.id}`, { headers, body: '{}' })).status).toBe(415);
});

it('403 for a member who is not an owner, who may read them', async () => {
  const member = await openDesk(api, account.id, 'member');
  const [only] = await list();
  expect((await member.request('GET', 'phone-numbers')).json).toEqual({ phone_numbers: [only] });
  const answer = await update(only?.id ?? '', { outbound_enabled: false }, member);
  expect([answer.status, answer.error().code]).toEqual([403, 'owner_only']);
  expect(await list()).toEqual([only]);
});

it('404 for another account’s number, the system’s, and an unknown one', async () => {
  const other = await api.account();
  const [theirs] = await api.admin.numbers.list(other.id);
  const system = await api.admin.numbers.add({ accountId: null, e164: number('+12025550199') });
  for (const id of [theirs?.id, system.id, randomUUID()]) {
    const answer = await update(id ?? '', { outbound_enabled: false });
    expect([answer.status, answer.error().code]).toEqual([404, 'phone_number_not_found']);
  }
  expect(await api.admin.numbers.list(other.id)).toEqual([theirs]);
  expect((await list()).map(({ number: text }) => text)).toEqual([account.fromNumber]);
});
