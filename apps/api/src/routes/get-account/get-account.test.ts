import { accountEnvelopeSchema, callIdSchema } from '@outdial/contracts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { driveCall } from '../../../test/drive.ts';
import { releaseHoldOf } from '../../../test/release-hold.ts';
import { openApi, type TestApi } from '../../../test/open-api.ts';

let api: TestApi;

beforeAll(async () => {
  api = await openApi();
});
afterAll(() => api.close());

it('200: the wallet and the capacity, with the share that open calls hold of both', async () => {
  const account = await api.account({ balance: '1.00', capacity: 3 });
  const create = () => api.request('POST', '/outbound/calls', { key: account.key, json: account.newCall });
  const first = callIdSchema.parse((await create()).call().id);
  await create();
  const overview = async () =>
    accountEnvelopeSchema.parse((await api.request('GET', '/account', { key: account.key })).json).account;
  expect(await overview()).toEqual({
    id: account.id,
    name: 'Acme',
    wallet: { balance: 1, held: 0.048, available: 0.952, currency: 'USD' },
    capacity: { limit: 3, in_use: 2 },
  });
  await driveCall(api.database, first, { talkMs: 30_000 });
  const rest = { wallet: { balance: 0.988, held: 0.024, available: 0.964 }, capacity: { limit: 3, in_use: 1 } };
  // A worker releases the hold after it has settled the call.
  expect(await overview()).toMatchObject({ wallet: { balance: 0.988, held: 0.048 }, capacity: { in_use: 2 } });
  await releaseHoldOf(api, first);
  expect(await overview()).toMatchObject(rest);
});

it('401 without a key', async () => {
  const answer = await api.request('GET', '/account');
  expect([answer.status, answer.error().code]).toEqual([401, 'missing_api_key']);
});
