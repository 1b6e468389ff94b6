import { randomBytes } from 'node:crypto';
import {
  createdWebhookEndpointSchema,
  webhookEndpointIdSchema,
  webhookEndpointEnvelopeSchema,
  webhookEndpointListSchema,
} from '@outdial/contracts';
import { administerWebhooks } from '@outdial/persistence';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDesk } from '../../../test/desk.ts';
import { openApi, type TestApi } from '../../../test/open-api.ts';
import type { TestAccount } from '../../../test/seeds.ts';

const URL_OF_RECEIVER = 'https://hooks.customer.com/outdial';

let api: TestApi;
let account: TestAccount;
beforeAll(async () => {
  api = await openApi({ secretKey: randomBytes(32) });
});
beforeEach(async () => {
  account = await api.account({ scopes: ['outbound', 'manage'] });
});
afterAll(() => api.close());

const ask = (method: string, path: string, json?: unknown, key = account.key) =>
  api.request(method, path, { key, ...(json === undefined ? {} : { json }) });
const create = async (fields: object = {}) => {
  const answer = await ask('POST', '/webhook-endpoints', { url: URL_OF_RECEIVER, ...fields });
  expect(answer.status).toBe(201);
  return createdWebhookEndpointSchema.parse(answer.json);
};
const list = async () => webhookEndpointListSchema.parse((await ask('GET', '/webhook-endpoints')).json).endpoints;

describe('an endpoint', () => {
  it('201 is created with a secret that no later response contains', async () => {
    const fields = { events: ['call.ended'], description: 'Our CRM', rate_per_second: 5 };
    const { endpoint, secret } = await create(fields);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(endpoint).toMatchObject({ ...fields, url: URL_OF_RECEIVER, state: 'enabled', api_version: '2026-12-01' });
    const one = await ask('GET', `/webhook-endpoints/${endpoint.id}`);
    expect(webhookEndpointEnvelopeSchema.parse(one.json).endpoint).toEqual(endpoint);
    expect(await list()).toContainEqual(endpoint);
    expect(one.text).not.toContain('whsec_');
    expect(api.logLines.join('')).not.toContain(secret);
  });

  it('200 is changed, disabled and enabled; omitted fields stay', async () => {
    const { endpoint } = await create({ description: 'Our CRM' });
    const change = async (changes: object) => {
      const answer = await ask('PATCH', `/webhook-endpoints/${endpoint.id}`, changes);
      return webhookEndpointEnvelopeSchema.parse(answer.json).endpoint;
    };
    const url = 'https://hooks.customer.com/other';
    expect(await change({ url })).toEqual({ ...endpoint, url });
    expect(await change({ state: 'disabled' })).toMatchObject({ state: 'disabled', disabled_reason: 'owner' });
    expect(await change({ state: 'enabled' })).toMatchObject({ state: 'enabled', disabled_reason: null });
    expect(await change({ rate_per_second: 3 })).toMatchObject({ url, rate_per_second: 3, description: 'Our CRM' });
    expect(await change({ rate_per_second: null })).toMatchObject({ rate_per_second: null });
  });

  it('204 is deleted; 404 from then on', async () => {
    const { endpoint } = await create();
    const remove = () => ask('DELETE', `/webhook-endpoints/${endpoint.id}`);
    expect([(await remove()).status, (await remove()).status]).toEqual([204, 404]);
    expect((await list()).map(({ id }) => id)).not.toContain(endpoint.id);
  });

  it('400 names a URL that nothing can be sent to', async () => {
    for (const [url, words] of [
      ['http://hooks.customer.com/', 'https://'],
      ['https://127.0.0.1/', 'public internet'],
      ['https://0x7f.1/', 'public internet'],
      ['https://[::ffff:10.0.0.1]/', 'public internet'],
      ['https://localhost/', 'public internet'],
      ['https://hooks.customer.com:25/', 'port 443'],
      ['https://user:pass@customer.com/', 'user name'],
      ['https://customer.com/#part', 'fragment'],
      ['https://сustomer.com/', 'xn--'],
      ['https://customer.com\\@10.0.0.1/', 'backslashes'],
      ['https://customer.com/ hooks', 'spaces'],
      [`https://customer.com/${'x'.repeat(2_048)}`, '2048'],
      ['nonsense', 'must be a URL'],
    ] as const) {
      const answer = await ask('POST', '/webhook-endpoints', { url });
      expect([url, answer.status, answer.error().param]).toEqual([url, 400, 'url']);
      expect(answer.error().message).toContain(words);
    }
    for (const fields of [{ events: ['call.bogus'] }, { description: 'x'.repeat(201) }, { rate_per_second: 0 }]) {
      const answer = await ask('POST', '/webhook-endpoints', { url: URL_OF_RECEIVER, ...fields });
      expect([answer.status, answer.error().param?.split('.')[0]]).toEqual([400, Object.keys(fields)[0]]);
    }
    expect(await list()).toEqual([]);
  });

  it('404 is another account’s, for every route', async () => {
    const { endpoint } = await create();
    const { key } = await api.account({ scopes: ['manage'] });
    const path = `/webhook-endpoints/${endpoint.id}`;
    for (const [method, route, json] of [
      ['GET', path],
      ['PATCH', path, { description: 'Mine' }],
      ['DELETE', path],
      ['POST', `${path}/rotate-secret`, {}],
      ['POST', `${path}/test`, {}],
      ['GET', `${path}/deliveries`],
      ['POST', `${path}/replays`, { since: new Date().toISOString() }],
    ] as const) {
      const answer = await ask(method, route, json, key);
      expect([method, route, answer.status, answer.error().code]).toEqual([
        method,
        route,
        404,
        'webhook_endpoint_not_found',
      ]);
    }
    expect(await list()).toContainEqual(endpoint);
  });

  it('409 too_many_endpoints: the 21st, while a neighbor creates its first', async () => {
    // A request that a busy machine has answered 503 is repeated, and may have created one.
    while ((await list()).length < 20) await create();
    const refused = await ask('POST', '/webhook-endpoints', { url: URL_OF_RECEIVER });
    expect([refused.status, refused.error()]).toMatchObject([
      409,
      { code: 'too_many_endpoints', details: { max: 20 } },
    ]);
    const { key } = await api.account({ scopes: ['manage'] });
    expect((await ask('POST', '/webhook-endpoints', { url: URL_OF_RECEIVER }, key)).status).toBe(201);
  });

  it('403 for a key without the scope manage; 413 and 415', async () => {
    const { key } = await api.account();
    const refused = await ask('GET', '/webhook-endpoints', undefined, key);
    expect([refused.status, refused.error()]).toMatchObject([403, { details: { scope: 'manage' } }]);
    expect((await ask('POST', '/webhook-endpoints', { url: 'x'.repeat(70_000) })).status).toBe(413);
    const headers = { 'Content-Type': 'text/plain' };
    const other = await api.request('POST', '/webhook-endpoints', { key: account.key, headers, body: '{}' });
    expect(other.status).toBe(415);
  });

  it('409 while the service has no key to seal secrets with', async () => {
    const without = await openApi();
    const { key, newCall } = await without.account({ scopes: ['outbound', 'manage'] });
    for (const [path, json] of [
      ['/webhook-endpoints', { url: URL_OF_RECEIVER }],
      ['/webhook-endpoints/per-call/secret', undefined],
      ['/outbound/calls', { ...newCall, webhook_url: URL_OF_RECEIVER }],
    ] as const) {
      const answer = await without.request('POST', path, { key, ...(json ? { json } : {}) });
      expect([path, answer.status, answer.error().code]).toEqual([path, 409, 'secret_key_missing']);
    }
    await without.close();
  });

  it('of an operator’s choice stays disabled', async () => {
    const { endpoint } = await create();
    await administerWebhooks({ database: api.database, actor: 'test' }).disable(
      webhookEndpointIdSchema.parse(endpoint.id),
    );
    const answer = await ask('PATCH', `/webhook-endpoints/${endpoint.id}`, { state: 'enabled' });
    expect([answer.status, answer.error()]).toMatchObject([
      409,
      { code: 'webhook_endpoint_disabled', details: { reason: 'operator' } },
    ]);
  });
});

it('members look and owners change, in the dashboard', async () => {
  const { endpoint } = await create();
  const member = await openDesk(api, account.id, 'member');
  const owner = await openDesk(api, account.id);
  const path = `webhook-endpoints/${endpoint.id}`;
  const json = { description: 'Ours' };
  expect((await member.request('GET', path)).json).toEqual({ endpoint });
  expect((await member.request('PATCH', path, { json })).error().code).toBe('owner_only');
  expect((await owner.request('PATCH', path, { json })).status).toBe(200);
  expect((await owner.request('GET', 'audit')).text).toContain('webhook_endpoint.update');
});
