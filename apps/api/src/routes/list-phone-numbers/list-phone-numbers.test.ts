import { phoneNumberListSchema } from '@outdial/contracts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openApi, type TestApi } from '../../../test/open-api.ts';
import { number } from '../../../test/seeds.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openApi();
});
afterAll(() => api.close());

it('200: the account’s own numbers, the default first', async () => {
  const [account] = await Promise.all([api.account(), api.account()]);
  await api.admin.numbers.add({ accountId: account.id, e164: number('+12025550177') });
  await api.admin.numbers.add({ accountId: null, e164: number('+12025550198') });
  const answer = await api.request('GET', '/phone-numbers', { key: account.key });
  expect(answer.status).toBe(200);
  const { phone_numbers: numbers } = phoneNumberListSchema.parse(answer.json);
  expect(numbers.map((each) => [each.number, each.is_default])).toEqual([
    [account.fromNumber, true],
    ['+12025550177', false],
  ]);
});

it('200: an account without a number has an empty list', async () => {
  const account = await api.account({ withoutNumber: true });
  const answer = await api.request('GET', '/phone-numbers', { key: account.key });
  expect([answer.status, answer.json]).toEqual([200, { phone_numbers: [] }]);
});

it('401 without a key, 403 for a key that may not place calls', async () => {
  const manager = await api.account({ scopes: ['manage'] });
  expect((await api.request('GET', '/phone-numbers')).error().code).toBe('missing_api_key');
  const answer = await api.request('GET', '/phone-numbers', { key: manager.key });
  expect([answer.status, answer.error().details]).toEqual([403, { scope: 'outbound' }]);
});
