import { randomBytes } from 'node:crypto';
import { secretListSchema } from '@outdial/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDesk } from '../../../test/desk.ts';
import { openApi, type TestApi } from '../../../test/open-api.ts';
import type { TestAccount } from '../../../test/seeds.ts';

const CANARY = 'Bearer canary-5d2f';

let api: TestApi;
let account: TestAccount;
beforeAll(async () => {
  api = await openApi({ secretKey: randomBytes(32), limits: { OUTDIAL_ACCOUNT_SECRETS: '2' } });
});
beforeEach(async () => {
  account = await api.account({ scopes: ['manage'] });
});
afterAll(() => api.close());

const set = (name: string, value: unknown = CANARY, key = account.key) =>
  api.request('PUT', `/secrets/${name}`, { key, json: { value } });
const namesOf = async (key = account.key) =>
  secretListSchema.parse((await api.request('GET', '/secrets', { key })).json).secrets.map(({ name }) => name);

describe('a secret', () => {
  it('200 is saved, replaced, and listed by its name alone', async () => {
    const first = await set('CRM_TOKEN');
    const second = await set('CRM_TOKEN', 'another');
    expect([first.status, second.status, await namesOf()]).toEqual([200, 200, ['CRM_TOKEN']]);
    expect(first.json).toEqual({
      secret: { name: 'CRM_TOKEN', created_at: expect.any(String), updated_at: expect.any(String) },
    });
  });

  it('204 is deleted; 404 when there is none, or another account’s', async () => {
    await set('CRM_TOKEN');
    const other = await api.account({ scopes: ['manage'] });
    const theirs = await api.request('DELETE', '/secrets/CRM_TOKEN', { key: other.key });
    expect([theirs.status, theirs.error().code]).toEqual([404, 'secret_not_found']);
    const remove = () => api.request('DELETE', '/secrets/CRM_TOKEN', { key: account.key });
    expect([(await remove()).status, (await remove()).status, await namesOf()]).toEqual([204, 404, []]);
  });

  it('400 names what is wrong', async () => {
    for (const [name, value, param] of [
      ['crm', 'x', 'secret_name'],
      ['1ST', 'x', 'secret_name'],
      ['CRM', '', 'value'],
      ['CRM', 'two\nlines', 'value'],
      ['CRM', 7, 'value'],
      ['CRM', 'x'.repeat(4_097), 'value'],
    ] as const) {
      const answer = await set(name, value);
      expect([answer.status, answer.error().param]).toEqual([400, param]);
    }
  });

  it('413 and 415', async () => {
    expect((await set('CRM', 'x'.repeat(70_000))).status).toBe(413);
    const headers = { 'Content-Type': 'text/plain' };
    expect((await api.request('PUT', '/secrets/CRM', { key: account.key, headers, body: '{}' })).status).toBe(415);
  });

  it('403 for a key without the scope manage', async () => {
    const { key } = await api.account();
    const answers = [
      await set('CRM', 'x', key),
      await api.request('GET', '/secrets', { key }),
      await api.request('DELETE', '/secrets/CRM', { key }),
    ];
    for (const answer of answers) {
      expect([answer.status, answer.error()]).toMatchObject([
        403,
        { code: 'scope_missing', details: { scope: 'manage' } },
      ]);
    }
  });

  it('429 beyond the bound of the account', async () => {
    await set('A');
    await set('B');
    const answer = await set('C');
    const details = { scope: 'account', thing: 'account_secrets', max: 2 };
    expect([answer.status, answer.error()]).toMatchObject([429, { code: 'rate_limited', details }]);
    expect((await set('A', 'another')).status).toBe(200);
  });

  it('409 while the service has no key to seal with', async () => {
    const without = await openApi();
    const { key } = await without.account({ scopes: ['manage'] });
    const answer = await without.request('PUT', '/secrets/CRM', { key, json: { value: 'x' } });
    expect([answer.status, answer.error().code]).toEqual([409, 'secret_key_missing']);
    await without.close();
  });
});

it('owners do the same in the dashboard; nothing shows a value', async () => {
  const owner = await openDesk(api, account.id);
  const answers = [
    await owner.request('PUT', 'secrets/CRM_TOKEN', { json: { value: CANARY } }),
    await owner.request('GET', 'secrets'),
    await owner.request('GET', 'audit'),
    await owner.request('DELETE', 'secrets/CRM_TOKEN'),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 204]);
  for (const { text } of answers) expect(text).not.toContain('canary');
  expect(api.logLines.join('')).not.toContain('canary');
});
