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

/** Within which a loss is known to every process. */
const KNOWN_WITHIN_MS = 1_000;
/** A machine that is busy enough says so, and such a request cannot be sent again. */
const BUSY = 503;
const REFUSED = [401, 404, BUSY];

describe('whoever holds the end of a body back until they may not send it any more', () => {
  it('places no call with a key that is revoked meanwhile', async () => {
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

  it('makes no key in an account that they are removed from', async () => {
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

it('a body that takes its time is taken from whoever still may send it', async () => {
  const account = await api.account();
  const headers = { 'X-API-Key': account.key };
  const held = await holdRequest(api.url, { path: '/api/v1/outbound/calls', headers, json: account.newCall });
  await sleep(KNOWN_WITHIN_MS);
  expect([201, BUSY]).toContain(await held.finish());
});
