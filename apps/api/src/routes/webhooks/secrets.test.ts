import { randomBytes } from 'node:crypto';
import {
  createdWebhookEndpointSchema,
  madePerCallWebhookSecretSchema,
  perCallWebhookSecretSchema,
  rotatedWebhookSecretSchema,
  webhookEndpointListSchema,
} from '@outdial/contracts';
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
const create = async () =>
  createdWebhookEndpointSchema.parse((await ask('POST', '/webhook-endpoints', { url: URL_OF_RECEIVER })).json);

describe('a secret', () => {
  it('200 is rotated; 409 while the previous one overlaps', async () => {
    const { endpoint, secret } = await create();
    const rotate = (json: object) => ask('POST', `/webhook-endpoints/${endpoint.id}/rotate-secret`, json);
    const first = rotatedWebhookSecretSchema.parse((await rotate({ overlap_hours: 0 })).json);
    expect([first.secret === secret, first.previous_until]).toEqual([false, null]);
    const second = rotatedWebhookSecretSchema.parse((await rotate({})).json);
    const third = await rotate({});
    expect([third.status, third.error()]).toMatchObject([
      409,
      { code: 'rotation_in_progress', details: { previous_until: second.previous_until } },
    ]);
    expect((await rotate({ overlap_hours: 0 })).status).toBe(200);
    expect((await rotate({ overlap_hours: 169 })).error().param).toBe('overlap_hours');
  });

  it('200 for URLs of calls is made and replaced, and both sign for 24 hours', async () => {
    const path = '/webhook-endpoints/per-call/secret';
    const read = async () => perCallWebhookSecretSchema.parse((await ask('GET', path)).json);
    const make = async (query = '') =>
      madePerCallWebhookSecretSchema.parse((await ask('POST', `${path}${query}`)).json);
    expect(await read()).toEqual({ made_at: null, previous_until: null });
    const first = await make();
    expect(first.previous_until).toBeNull();
    const second = await make();
    expect(second.secret).not.toBe(first.secret);
    const overlapMs = Date.parse(second.previous_until ?? '') - Date.parse(second.made_at);
    expect(Math.round(overlapMs / 60_000)).toBe(24 * 60);
    expect(await read()).toEqual({ made_at: second.made_at, previous_until: second.previous_until });
    const third = await ask('POST', path);
    expect([third.status, third.error()]).toMatchObject([
      409,
      { code: 'rotation_in_progress', details: { previous_until: second.previous_until } },
    ]);
    expect((await make('?overlap_hours=0')).previous_until).toBeNull();
    expect((await ask('POST', `${path}?overlap_hours=169`)).error().param).toBe('overlap_hours');
    expect(webhookEndpointListSchema.parse((await ask('GET', '/webhook-endpoints')).json).endpoints).toEqual([]);
  });
});
