import { randomUUID } from 'node:crypto';
import { apiKeyEnvelopeSchema, apiKeyListSchema, createdApiKeySchema } from '@outdial/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDesk, type Desk } from '../../../test/desk.ts';
import { openApi, type TestApi } from '../../../test/open-api.ts';
import type { TestAccount } from '../../../test/seeds.ts';

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

const NEW = { name: 'Production', expires_at: null };
const create = async (json: unknown = NEW) =>
  createdApiKeySchema.parse((await owner.request('POST', 'api-keys', { json })).json);
const list = async () => apiKeyListSchema.parse((await owner.request('GET', 'api-keys')).json).api_keys;
const statusWith = async (key: string, client: Pick<TestApi, 'request'> = api) =>
  (await client.request('GET', '/account', { key })).status;

describe('201', () => {
  it('returns the key once; the key works, and no list shows it', async () => {
    const { api_key: created, value } = await create();
    expect(created).toEqual({
      id: expect.any(String),
      name: 'Production',
      shown_prefix: value.slice(0, created.shown_prefix.length),
      scopes: ['outbound'],
      created_at: expect.any(String),
      last_used_at: null,
      expires_at: null,
      revoked_at: null,
    });
    expect(await statusWith(value)).toBe(200);
    const listed = await owner.request('GET', 'api-keys');
    expect(listed.text).not.toContain(value);
    expect((await list())[0]).toEqual(created);
    expect(api.logLines.join('')).not.toContain(value);
  });

  it('with an expiry, after which the key is rejected', async () => {
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const { api_key: key, value } = await create({ name: 'A', expires_at: expiresAt });
    expect([key.expires_at, await statusWith(value)]).toEqual([expiresAt, 200]);
    await api.database.side.$executeRaw`UPDATE api_keys SET expires_at = now() WHERE id = ${key.id}::uuid`;
    await expect.poll(() => statusWith(value)).toBe(401);
  });

  it('with the scopes that it was given, and no others', async () => {
    const { api_key: key, value } = await create({ ...NEW, scopes: ['manage'] });
    expect(key.scopes).toEqual(['manage']);
    expect((await api.request('GET', '/secrets', { key: value })).status).toBe(200);
    const refused = await api.request('GET', '/account', { key: value });
    expect([refused.status, refused.error().details]).toEqual([403, { scope: 'outbound' }]);
  });

  it('names return unchanged', async () => {
    const name = '<img src=x onerror=alert(1)> "; DROP TABLE api_keys; -- {{x}} =1+1';
    expect((await create({ name, expires_at: null })).api_key.name).toBe(name);
    expect((await list())[0]?.name).toBe(name);
  });
});

it('400 names what is wrong', async () => {
  const past = new Date(Date.now() - 1_000).toISOString();
  for (const [json, param] of [
    [{ ...NEW, name: ' ' }, 'name'],
    [{ ...NEW, name: 'x'.repeat(101) }, 'name'],
    [{ ...NEW, name: 'a\0b' }, 'name'],
    [{ ...NEW, name: '\u200B\u2060' }, 'name'],
    [{ ...NEW, name: 'a\u2066b' }, 'name'],
    [{ ...NEW, expires_at: 'tomorrow' }, 'expires_at'],
    [{ ...NEW, expires_at: past }, 'expires_at'],
    [{ name: 'A' }, 'expires_at'],
    [{ ...NEW, scope: 'outbound' }, 'scope'],
    [{ ...NEW, scopes: [] }, 'scopes'],
    [{ ...NEW, scopes: ['manage', 'manage'] }, 'scopes'],
    [{ ...NEW, scopes: ['outbound', 'admin'] }, 'scopes.1'],
  ] as const) {
    const answer = await owner.request('POST', 'api-keys', { json });
    expect([answer.status, answer.error().param]).toEqual([400, param]);
  }
  const malformed = await owner.request('POST', 'api-keys/x/revoke');
  expect([malformed.status, malformed.error().param]).toEqual([400, 'key_id']);
});

it('413 and 415', async () => {
  const large = await owner.request('POST', 'api-keys', { json: { ...NEW, name: 'x'.repeat(70_000) } });
  expect([large.status, large.error().code]).toEqual([413, 'body_too_large']);
  const headers = { 'Content-Type': 'text/plain' };
  const text = await owner.request('POST', 'api-keys', { headers, body: JSON.stringify(NEW) });
  expect([text.status, text.error().code]).toEqual([415, 'unsupported_media_type']);
});

it('200: newest first; revoked keys stay in the list, and revoking again changes nothing', async () => {
  const first = await create();
  const second = await create();
  const revoked = await owner.request('POST', `api-keys/${first.api_key.id}/revoke`);
  expect(revoked.status).toBe(200);
  const body = apiKeyEnvelopeSchema.parse(revoked.json).api_key;
  expect(body.revoked_at).not.toBeNull();
  expect((await list()).slice(0, 2)).toEqual([second.api_key, body]);
  expect((await owner.request('POST', `api-keys/${first.api_key.id}/revoke`)).json).toEqual({ api_key: body });
});

it('every process rejects a revoked key within a second', async () => {
  const other = await api.startAnother();
  await other.untilReady();
  const { api_key: key, value } = await create();
  const processes = [api, other];
  for (const client of processes) expect(await statusWith(value, client)).toBe(200);
  await owner.request('POST', `api-keys/${key.id}/revoke`);
  const revokedMs = performance.now();
  // Requests go to each process until it rejects one. The send time of the last accepted request is the delay.
  const lastLetInMs = await Promise.all(
    processes.map(async (client) => {
      for (let letInMs = revokedMs; ;) {
        const sentMs = performance.now();
        if ((await statusWith(value, client)) === 401) return letInMs;
        letInMs = sentMs;
      }
    }),
  );
  for (const letInMs of lastLetInMs) expect(letInMs - revokedMs).toBeLessThan(1_000);
});

it('403 for a member who is not an owner, without any key', async () => {
  const { api_key: key, value } = await create();
  const member = await openDesk(api, account.id, 'member');
  for (const [method, path] of [
    ['GET', 'api-keys'],
    ['POST', 'api-keys'],
    ['POST', `api-keys/${key.id}/revoke`],
  ] as const) {
    const answer = await member.request(method, path, method === 'POST' ? { json: NEW } : {});
    expect([answer.status, answer.error().code]).toEqual([403, 'owner_only']);
  }
  expect(await statusWith(value)).toBe(200);
});

it('404 for another account’s key, which keeps working, and for an unknown key', async () => {
  const other = await api.account();
  const [theirs] = await api.admin.keys.list(other.id);
  for (const keyId of [theirs?.id, randomUUID()]) {
    const answer = await owner.request('POST', `api-keys/${keyId}/revoke`);
    expect([answer.status, answer.error().code]).toEqual([404, 'api_key_not_found']);
  }
  expect((await list()).map(({ id }) => id)).not.toContain(theirs?.id);
  expect(await statusWith(other.key)).toBe(200);
});

it('the audit records each change with the user’s name', async () => {
  const { api_key: key } = await create();
  await owner.request('POST', `api-keys/${key.id}/revoke`);
  const rows = await api.database.side.$queryRaw<{ actor: string; action: string }[]>`
    SELECT actor, action FROM audit_entries WHERE subject_id = ${key.id} ORDER BY id`;
  const actor = `user:${owner.userId}`;
  expect(rows).toEqual([
    { actor, action: 'key.create' },
    { actor, action: 'key.revoke' },
  ]);
});
