import { setTimeout as sleep } from 'node:timers/promises';
import { apiKeyListSchema } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDesk } from '../../test/desk.ts';
import { holdRequest } from '../../test/held-request.ts';
import { openApi, type TestApi } from '../../test/open-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openApi();
});
afterAll(() => api.close());

/** Every process learns of a revocation within this time. */
const KNOWN_WITHIN_MS = 1_000;
/** A busy machine may answer 503, and such a request cannot be repeated. */
const BUSY = 503;
const REFUSED = [401, 404, BUSY];

describe('a sender that holds back the end of a body until its access is revoked', () => {
  it('places no call with the revoked key', async () => {
    const account = await api.account();
    const headers = { 'X-API-Key': account.key };
    expect((await api.request('GET', '/account', { key: account.key })).status).toBe(200);
    const held = await holdRequest(api.url, { path: '/api/v1/outbound/calls', headers, json: account.newCall });
    const [key] = await api.admin.keys.list(account.id);
    invariant(key, 'the account has a key');
    await api.admin.keys.revoke(key.id);
    await sleep(KNOWN_WITHIN_MS);
    expect(REFUSED).toContain(await held.finish());
    const calls = await api.database.side.$queryRaw<unknown[]>`
      SELECT id FROM calls WHERE account_id = ${account.id}::uuid`;
    expect(calls).toEqual([]);
  });

  it('creates no key in an account after removal from it', async () => {
    const { id } = await api.account();
    const [owner, removed] = [await openDesk(api, id), await openDesk(api, id)];
    const keys = async () => apiKeyListSchema.parse((await owner.request('GET', 'api-keys')).json).api_keys.length;
    const before = await keys();
    expect((await removed.request('GET', 'members')).status).toBe(200);
    const held = await holdRequest(api.url, {
      path: `/api/dashboard/accounts/${id}/api-keys`,
      headers: removed.headers,
      json: { name: 'late', expires_at: null },
    });
    expect((await owner.request('DELETE', `members/${removed.userId}`)).status).toBe(204);
    await sleep(KNOWN_WITHIN_MS);
    expect(REFUSED).toContain(await held.finish());
    expect(await keys()).toBe(before);
  });
});

it('a slow body is accepted from a sender that still has access', async () => {
  const account = await api.account();
  const headers = { 'X-API-Key': account.key };
  const held = await holdRequest(api.url, { path: '/api/v1/outbound/calls', headers, json: account.newCall });
  await sleep(KNOWN_WITHIN_MS);
  expect([201, BUSY]).toContain(await held.finish());
});
