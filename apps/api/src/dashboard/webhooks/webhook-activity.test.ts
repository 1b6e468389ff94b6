import { randomBytes, randomUUID } from 'node:crypto';
import {
  callDeliveriesSchema,
  callIdSchema,
  createdWebhookEndpointSchema,
  noticeListSchema,
  webhookActivitySchema,
} from '@outdial/contracts';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openDesk, type Desk } from '../../../test/desk.ts';
import { openApi, type TestApi } from '../../../test/open-api.ts';
import type { TestAccount } from '../../../test/seeds.ts';

let api: TestApi;
let account: TestAccount;
let owner: Desk;
let endpointId: string;
beforeAll(async () => {
  api = await openApi({ secretKey: randomBytes(32) });
});
beforeEach(async () => {
  account = await api.account({ scopes: ['outbound', 'manage'] });
  owner = await openDesk(api, account.id);
  const json = { url: 'https://hooks.customer.com/' };
  const { endpoint } = createdWebhookEndpointSchema.parse(
    (await owner.request('POST', 'webhook-endpoints', { json })).json,
  );
  endpointId = endpoint.id;
});
afterAll(() => api.close());

const deliveriesOf = async (callId: string, desk = owner) => {
  const answer = await desk.request('GET', `calls/${callId}/webhook-deliveries`);
  expect(answer.status).toBe(200);
  return callDeliveriesSchema.parse(answer.json).deliveries;
};

const noticesOf = async (desk: Desk) => noticeListSchema.parse((await desk.request('GET', 'notices')).json).notices;

it('200: a call’s deliveries are listed with the URL of their endpoint, for members too', async () => {
  const placed = await api.request('POST', '/outbound/calls', { key: account.key, json: account.newCall });
  const callId = callIdSchema.parse(placed.call().id);
  const member = await openDesk(api, account.id, 'member');
  expect(await deliveriesOf(callId, member)).toMatchObject([
    {
      type: 'call.queued',
      endpoint_id: endpointId,
      url: 'https://hooks.customer.com/',
      has_endpoint: true,
      state: 'pending',
      attempt_count: 0,
      last_error: null,
    },
  ]);
  const stranger = await openDesk(api, (await api.account()).id);
  expect(await deliveriesOf(callId, stranger)).toEqual([]);
  expect(await deliveriesOf(randomUUID())).toEqual([]);
});

it('200: the last 24 hours of each endpoint, hour by hour', async () => {
  await api.request('POST', '/outbound/calls', { key: account.key, json: account.newCall });
  const { endpoints } = webhookActivitySchema.parse((await owner.request('GET', 'webhook-activity')).json);
  expect(endpoints).toMatchObject([{ endpoint_id: endpointId }]);
  expect(endpoints[0]?.hours).toHaveLength(24);
  const sum = endpoints[0]?.hours.reduce((total, { pending }) => total + pending, 0);
  expect(sum).toBe(1);
});

it('200 and 204: a notice is shown until a member dismisses it', async () => {
  await api.database.side.$queryRaw`SELECT disable_webhook_endpoint(${endpointId}::uuid, 'failing')`;
  const member = await openDesk(api, account.id, 'member');
  const [notice] = await noticesOf(member);
  expect(notice).toMatchObject({
    kind: 'webhook_endpoint_disabled',
    endpoint_id: endpointId,
    url: 'https://hooks.customer.com/',
    is_gone: false,
  });
  const stranger = await openDesk(api, (await api.account()).id);
  expect((await stranger.request('POST', `notices/${notice?.id}/dismiss`)).status).toBe(204);
  expect(await noticesOf(owner)).toHaveLength(1);
  expect((await member.request('POST', `notices/${notice?.id}/dismiss`)).status).toBe(204);
  expect(await noticesOf(owner)).toEqual([]);
  expect((await member.request('POST', 'notices/none/dismiss')).status).toBe(400);
});
