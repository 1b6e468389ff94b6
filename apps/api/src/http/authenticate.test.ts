import { setTimeout as sleep } from 'node:timers/promises';
import { createApiKey, parseKeyPepper } from '@outdial/secrets';
import { errorBodySchema } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApi, type TestApi } from '../../test/open-api.ts';
import { sendRaw } from '../../test/raw-request.ts';
import type { TestAccount } from '../../test/seeds.ts';

let api: TestApi;
let account: TestAccount;
let other: TestAccount;

beforeAll(async () => {
  api = await openApi();
  [account, other] = await Promise.all([api.account(), api.account()]);
});
afterAll(() => api.close());

async function withHeaders(...headers: readonly string[]) {
  const answer = await sendRaw(api.url, { path: '/api/v1/account', headers });
  if (answer.status === 200) return '200';
  expect(answer.headers['www-authenticate']).toContain('Bearer');
  return `${answer.status} ${errorBodySchema.parse(JSON.parse(answer.text)).error.code}`;
}

describe('a key', () => {
  it('is accepted in either header, whose name is case-insensitive', async () => {
    const { key } = account;
    for (const name of ['X-API-Key', 'x-api-key', 'X-Api-KEY']) expect(await withHeaders(name, key)).toBe('200');
    for (const scheme of ['Bearer', 'bearer', 'BEARER'])
      expect(await withHeaders('AUTHORIZATION', `${scheme} ${key}`)).toBe('200');
    expect(await withHeaders('X-API-Key', key, 'Authorization', `Bearer ${key}`)).toBe('200');
    expect(await withHeaders('X-API-Key', key, 'Authorization', 'Basic dXNlcjpwYXNz')).toBe('200');
  });

  it('that is missing is requested with a 401', async () => {
    expect(await withHeaders()).toBe('401 missing_api_key');
    expect(await withHeaders('X-API-Key', '')).toBe('401 missing_api_key');
    expect(await withHeaders('Authorization', 'Bearer')).toBe('401 missing_api_key');
    expect(await withHeaders('Authorization', 'Basic dXNlcjpwYXNz')).toBe('401 missing_api_key');
  });

  it('that is unknown or malformed is rejected', async () => {
    const last = account.key.endsWith('a') ? 'b' : 'a';
    for (const key of [createApiKey(), `${account.key.slice(0, -1)}${last}`, account.key.slice(1), 'x', '📞'.repeat(9)])
      expect(await withHeaders('X-API-Key', Buffer.from(key).toString('latin1'))).toBe('401 invalid_api_key');
  });

  it('is rejected beside a different one, in either order', async () => {
    const [one, two] = [account.key, other.key];
    for (const headers of [
      ['X-API-Key', one, 'Authorization', `Bearer ${two}`],
      ['X-API-Key', one, 'x-api-key', two],
      ['Authorization', `Bearer ${one}`, 'authorization', `bearer ${two}`],
    ])
      expect(await withHeaders(...headers)).toBe('401 invalid_api_key');
    expect(await withHeaders('X-API-Key', one, 'x-api-key', one)).toBe('200');
  });

  it('stops working when it expires', async () => {
    const pepper = parseKeyPepper('5e'.repeat(32));
    invariant(pepper, 'the pepper is long enough');
    const { accountId, name } = { accountId: account.id, name: 'brief' };
    let lifeMs = 700;
    let [expiresAtMs, key, answer] = [0, '', ''];
    do {
      expiresAtMs = Date.now() + lifeMs;
      ({ key } = await api.admin.keys.create({ accountId, name, pepper, expiresAtMs }));
      answer = await withHeaders('X-API-Key', key);
      lifeMs *= 2;
      // If this process stalled before the request, the answer says nothing about a valid key.
    } while (Date.now() >= expiresAtMs);
    expect(answer).toBe('200');
    await sleep(expiresAtMs - Date.now() + 1);
    expect(await withHeaders('X-API-Key', key)).toBe('401 invalid_api_key');
  });
});

describe('within a second, on every process:', () => {
  it('a revoked key stops working, and so does the key of a disabled account', async () => {
    const another = await api.startAnother();
    const [first, second] = await Promise.all([api.account(), api.account()]);
    const key = (await api.admin.keys.list(first.id))[0];
    invariant(key, 'the account has its key');
    const statuses = () =>
      Promise.all(
        [api, another].flatMap((process) =>
          [first, second].map(async (of) => (await process.request('GET', '/account', { key: of.key })).status),
        ),
      );
    expect(await statuses()).toEqual([200, 200, 200, 200]);
    await api.admin.keys.revoke(key.id);
    await api.admin.accounts.setEnabled(second.id, false);
    const revokedAt = performance.now();
    // Constant requests keep the entries in use: only their age may end them.
    while (performance.now() - revokedAt < 1_000) await statuses();
    expect(await statuses()).toEqual([401, 401, 401, 401]);
  });

  it('an agent, a number and a destination stop working when they are removed', async () => {
    const of = await api.account();
    await api.admin.agents.grant({ agentId: other.agentId, accountId: of.id });
    const create = async (fields: object) =>
      (await api.request('POST', '/outbound/calls', { key: of.key, json: { ...of.newCall, ...fields } })).status;
    expect(await create({ agent_id: other.agentId, from_number: of.fromNumber })).toBe(201);
    await api.admin.agents.revoke({ agentId: other.agentId, accountId: of.id });
    await api.admin.blockedDestinations.add({ accountId: of.id, prefix: '1999' });
    await sleep(1_000);
    expect(await create({ agent_id: other.agentId })).toBe(403);
    expect(await create({ to_number: '+19995550100' })).toBe(403);
    await api.admin.numbers.remove({ accountId: of.id, e164: of.fromNumber });
    await sleep(1_000);
    expect(await create({ from_number: of.fromNumber })).toBe(403);
  });
});
