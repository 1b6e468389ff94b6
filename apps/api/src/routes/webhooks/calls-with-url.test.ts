import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
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

const ask = (method: string, path: string, json?: unknown) =>
  api.request(method, path, { key: account.key, ...(json === undefined ? {} : { json }) });

describe('a call with a webhook_url', () => {
  it('201 shows it, sends its events there, and a repeated request is the same call', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const place = (webhook_url: string) =>
      api.request('POST', '/outbound/calls', {
        key: account.key,
        headers,
        json: { ...account.newCall, webhook_url },
      });
    const placed = await place(URL_OF_RECEIVER);
    expect([placed.status, placed.call().webhook_url]).toEqual([201, URL_OF_RECEIVER]);
    const { id } = placed.call();
    const read = await ask('GET', `/outbound/calls/${id}`);
    expect(read.call().webhook_url).toBe(URL_OF_RECEIVER);
    const repeated = await place(URL_OF_RECEIVER);
    expect([repeated.status, repeated.headers.get('Idempotency-Replayed')]).toEqual([201, 'true']);
    expect((await place(`${URL_OF_RECEIVER}/other`)).error().code).toBe('idempotency_key_reused');
    const rows = await api.database.side.$queryRaw`
      SELECT type, state FROM webhook_deliveries WHERE call_id = ${id}::uuid`;
    expect(rows).toEqual([{ type: 'call.queued', state: 'pending' }]);
  });

  it('400 names a URL that nothing can be sent to', async () => {
    for (const webhook_url of ['http://hooks.customer.com/', 'https://10.0.0.1/']) {
      const answer = await ask('POST', '/outbound/calls', { ...account.newCall, webhook_url });
      expect([answer.status, answer.error().param]).toEqual([400, 'webhook_url']);
    }
  });

  it('201 repeats a call that was accepted, whatever is away that its first request needed', async () => {
    const json = { ...account.newCall, webhook_url: URL_OF_RECEIVER };
    const headers = { 'Idempotency-Key': randomUUID() };
    const { id } = (await api.request('POST', '/outbound/calls', { key: account.key, headers, json })).call();
    // A process that has seen no account yet, has no secret key, and may send nowhere in this network.
    const other = await openApi({ stores: api.stores });
    const repeated = await api.database.side.$transaction(async (transaction) => {
      await transaction.$executeRaw`LOCK TABLE webhook_endpoints IN ACCESS EXCLUSIVE MODE`;
      return other.request('POST', '/outbound/calls', { key: account.key, headers, json });
    });
    expect([repeated.status, repeated.headers.get('Idempotency-Replayed')]).toEqual([201, 'true']);
    expect(repeated.call().id).toBe(id);
    await other.close();
  });

  it('201 without the secret key, once the secret is there; 409 names webhook_url until then', async () => {
    const other = await openApi({ stores: api.stores });
    const place = () =>
      other.request('POST', '/outbound/calls', {
        key: account.key,
        json: { ...account.newCall, webhook_url: URL_OF_RECEIVER },
      });
    const refused = await place();
    expect([refused.status, refused.error()]).toMatchObject([
      409,
      {
        code: 'secret_key_missing',
        param: 'webhook_url',
        message: expect.stringContaining('OUTDIAL_SECRET_KEY, or omit webhook_url'),
      },
    ]);
    await ask('POST', '/webhook-endpoints/per-call/secret');
    expect((await place()).status).toBe(201);
    await other.close();
  });
});
