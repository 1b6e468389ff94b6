import { randomUUID } from 'node:crypto';
import { apiKeyEnvelopeSchema, apiKeyListSchema, createdApiKeySchema } from '@outdial/contracts';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openApi, type TestApi } from '../../../test/open-api.ts';
import type { TestAccount } from '../../../test/seeds.ts';

let api: TestApi;
let account: TestAccount;
beforeAll(async () => {
  api = await openApi();
});
beforeEach(async () => {
  account = await api.account({ scopes: ['outbound', 'manage'] });
});
afterAll(() => api.close());

const NEW = { name: 'Production', expires_at: null };
const ask = (method: string, path: string, json?: object, key = account.key) =>
  api.request(method, path, { key, ...(json === undefined ? {} : { json }) });

it('201 and 200: a key makes a key that works, lists it, and revokes it', async () => {
  const created = await ask('POST', '/api-keys', { ...NEW, scopes: ['outbound', 'manage'] });
  expect(created.status).toBe(201);
  const { api_key: key, value } = createdApiKeySchema.parse(created.json);
  expect((await ask('GET', '/api-keys', undefined, value)).status).toBe(200);
  const listed = await ask('GET', '/api-keys');
  expect(apiKeyListSchema.parse(listed.json).api_keys[0]).toMatchObject({ id: key.id, name: 'Production' });
  expect(listed.text).not.toContain(value);
  const revoked = await ask('POST', `/api-keys/${key.id}/revoke`);
  expect([revoked.status, apiKeyEnvelopeSchema.parse(revoked.json).api_key.revoked_at]).toEqual([
    200,
    expect.any(String),
  ]);
  await expect.poll(async () => (await ask('GET', '/account', undefined, value)).status).toBe(401);
});

it('the audit names the key that made it', async () => {
  const { api_key: key } = createdApiKeySchema.parse((await ask('POST', '/api-keys', NEW)).json);
  const rows = await api.database.side.$queryRaw<{ actor: string }[]>`
    SELECT actor FROM audit_entries WHERE subject_id = ${key.id}`;
  expect(rows).toEqual([{ actor: expect.stringMatching(/^key:/) }]);
});

it('403 scope_missing: a key gives no scope that it lacks, and nothing is created', async () => {
  const manager = await api.account({ scopes: ['manage'] });
  for (const json of [NEW, { ...NEW, scopes: ['manage', 'outbound'] }]) {
    const answer = await ask('POST', '/api-keys', json, manager.key);
    expect([answer.status, answer.error().code, answer.error().details]).toEqual([
      403,
      'scope_missing',
      { scope: 'outbound' },
    ]);
  }
  expect((await ask('POST', '/api-keys', { ...NEW, scopes: ['manage'] }, manager.key)).status).toBe(201);
  const { api_keys: keys } = apiKeyListSchema.parse((await ask('GET', '/api-keys', undefined, manager.key)).json);
  expect(keys).toHaveLength(2);
});

it('400: a key makes no key that outlives it, and its own rate limit goes with the new one', async () => {
  const soon = new Date(Date.now() + 3_600_000).toISOString();
  const later = new Date(Date.now() + 7_200_000).toISOString();
  const body = { ...NEW, expires_at: soon, scopes: ['manage'] };
  const { value } = createdApiKeySchema.parse((await ask('POST', '/api-keys', body)).json);
  for (const expires_at of [null, later]) {
    const answer = await ask('POST', '/api-keys', { ...body, expires_at }, value);
    expect([answer.status, answer.error().param]).toEqual([400, 'expires_at']);
  }
  expect((await ask('POST', '/api-keys', body, value)).status).toBe(201);
  const limited = await api.account({ scopes: ['manage'] });
  await api.database.side.$executeRaw`
    UPDATE api_keys SET requests_per_second = 7 WHERE account_id = ${limited.id}::uuid`;
  const made = await ask('POST', '/api-keys', { ...NEW, scopes: ['manage'] }, limited.key);
  expect(made.status).toBe(201);
  const limits = await api.database.side.$queryRaw<{ limit: number | null }[]>`
    SELECT requests_per_second AS "limit" FROM api_keys WHERE account_id = ${limited.id}::uuid`;
  expect(limits).toEqual([{ limit: 7 }, { limit: 7 }]);
});

it('403 scope_missing: a key for calls alone sees, makes and revokes no keys', async () => {
  const caller = await api.account();
  for (const [method, path, json] of [
    ['GET', '/api-keys', undefined],
    ['POST', '/api-keys', NEW],
    ['POST', `/api-keys/${randomUUID()}/revoke`, undefined],
  ] as const) {
    const answer = await ask(method, path, json, caller.key);
    expect([answer.status, answer.error().details]).toEqual([403, { scope: 'manage' }]);
  }
});

it('404 api_key_not_found for another account’s key, which keeps working; 401 without a key', async () => {
  const other = await api.account();
  const [theirs] = await api.admin.keys.list(other.id);
  const answer = await ask('POST', `/api-keys/${theirs?.id}/revoke`);
  expect([answer.status, answer.error().code]).toEqual([404, 'api_key_not_found']);
  expect((await ask('GET', '/account', undefined, other.key)).status).toBe(200);
  expect((await api.request('GET', '/api-keys')).status).toBe(401);
});

it('429 rate_limited at the account’s limit of keys', async () => {
  let answer = await ask('POST', '/api-keys', NEW);
  while (answer.status === 201) answer = await ask('POST', '/api-keys', NEW);
  expect([answer.status, answer.error().details]).toMatchObject([429, { scope: 'account', thing: 'api_keys' }]);
});
