import { randomUUID } from 'node:crypto';
import { get } from 'node:http';
import { once } from 'node:events';
import { accountEnvelopeSchema } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApi, type TestApi } from '../../test/open-api.ts';
import type { TestAccount } from '../../test/seeds.ts';
import type { SignedIn } from '../../test/sign-in.ts';

let api: TestApi;
let account: TestAccount;
let other: TestAccount;
let member: SignedIn;
beforeAll(async () => {
  api = await openApi();
  [account, other] = await Promise.all([api.account(), api.account()]);
  member = await api.signIn({ memberships: [{ accountId: account.id, role: 'member' }] });
});
afterAll(() => api.close());

const of = (id: string, path: string) => `//api/dashboard/accounts/${id}/${path}`;
const asMember = () => ({ headers: member.headers });

describe('a member of an account', () => {
  it('reads it, places its calls and reads them, as its API keys do', async () => {
    const overview = await api.request('GET', of(account.id, 'account'), asMember());
    expect(accountEnvelopeSchema.parse(overview.json).account.id).toBe(account.id);
    const created = await api.request('POST', of(account.id, 'outbound/calls'), {
      ...asMember(),
      json: account.newCall,
    });
    const { id } = created.call();
    expect(created.headers.get('location')).toBe(of(account.id, `outbound/calls/${id}`).slice(1));
    const read = await api.request('GET', of(account.id, `outbound/calls/${id}`), asMember());
    expect(read.call()).toEqual((await api.request('GET', `/outbound/calls/${id}`, { key: account.key })).call());
  });

  it('receives 404 for another account, an unknown id and a malformed id', async () => {
    const { id } = (await api.request('POST', '/outbound/calls', { key: other.key, json: other.newCall })).call();
    for (const accountId of [other.id, randomUUID(), 'x']) {
      const answer = await api.request('GET', of(accountId, `outbound/calls/${id}`), asMember());
      expect([answer.status, answer.error().code]).toEqual([404, 'account_not_found']);
    }
    const answer = await api.request('GET', of(account.id, `outbound/calls/${id}`), asMember());
    expect([answer.status, answer.error().code]).toEqual([404, 'call_not_found']);
  });

  it('receives 403 while the account is disabled', async () => {
    const disabled = await api.account();
    const { headers } = await api.signIn({ memberships: [{ accountId: disabled.id, role: 'owner' }] });
    await api.admin.accounts.setEnabled(disabled.id, false);
    const path = of(disabled.id, 'outbound/calls');
    const answer = await api.request('POST', path, { headers, json: disabled.newCall });
    expect([answer.status, answer.error().code]).toEqual([404, 'account_not_found']);
  });
});

it('a key is rejected where a session is required, and a session where a key is required', async () => {
  const withKey = await api.request('GET', of(account.id, 'account'), { key: account.key });
  expect([withKey.status, withKey.error().code]).toEqual([401, 'not_signed_in']);
  const withSession = await api.request('GET', '/account', asMember());
  expect([withSession.status, withSession.error().code]).toEqual([401, 'missing_api_key']);
});

async function from(headers: Readonly<Record<string, string>>): Promise<number> {
  const { Cookie = '' } = member.headers;
  const path = of(account.id, 'outbound/calls');
  return (await api.request('POST', path, { headers: { Cookie, ...headers }, json: account.newCall })).status;
}

describe('a request with an effect', () => {
  it('is accepted from a page of the dashboard', async () => {
    expect(await from({ 'Sec-Fetch-Site': 'same-origin' })).toBe(201);
    expect(await from({ Origin: api.url })).toBe(201);
  });

  it('is rejected from any other origin and without an Origin header', async () => {
    for (const site of ['cross-site', 'same-site', 'none'])
      expect(await from({ 'Sec-Fetch-Site': site, Origin: api.url })).toBe(403);
    for (const origin of ['http://evil.example', 'null', `${api.url}.evil.example`, ''])
      expect(await from({ Origin: origin })).toBe(403);
    expect(await from({})).toBe(403);
  });
});

it('a stream ends within three seconds after its session', async () => {
  const { headers, end } = await api.signIn({ memberships: [{ accountId: account.id, role: 'owner' }] });
  const { id } = (await api.request('POST', '/outbound/calls', { key: account.key, json: account.newCall })).call();
  const path = of(account.id, `outbound/calls/${id}/events`).slice(1);
  const request = get(`${api.url}${path}`, { agent: false, headers: { ...headers, Accept: 'text/event-stream' } });
  const [response] = await once(request, 'response');
  invariant(response.statusCode === 200, 'the stream is opened');
  response.resume();
  const endedMs = performance.now();
  await end();
  await once(response, 'end');
  // A stalled machine must not end the test sooner.
  expect(performance.now() - endedMs).toBeLessThan(3_000 + 2_000);
});
