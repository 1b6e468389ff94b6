import { randomBytes, randomUUID } from 'node:crypto';
import {
  callIdSchema,
  createdWebhookEndpointSchema,
  webhookDeliveryEnvelopeSchema,
  webhookDeliveryListSchema,
  webhookMessageDetailSchema,
  webhookMessageEnvelopeSchema,
  webhookReplayEnvelopeSchema,
} from '@outdial/contracts';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { driveCall } from '../../../test/drive.ts';
import { openApi, type TestApi } from '../../../test/open-api.ts';
import type { TestAccount } from '../../../test/seeds.ts';

let api: TestApi;
let account: TestAccount;
let endpointId: string;
beforeAll(async () => {
  api = await openApi({ secretKey: randomBytes(32) });
});
beforeEach(async () => {
  account = await api.account({ scopes: ['outbound', 'manage'] });
  endpointId = await createEndpoint();
});
afterAll(() => api.close());

const ask = (method: string, path: string, json?: unknown, key = account.key) =>
  api.request(method, path, { key, ...(json === undefined ? {} : { json }) });
const createEndpoint = async () => {
  const answer = await ask('POST', '/webhook-endpoints', { url: 'https://hooks.customer.com/' });
  return createdWebhookEndpointSchema.parse(answer.json).endpoint.id;
};
const disable = () => ask('PATCH', `/webhook-endpoints/${endpointId}`, { state: 'disabled' });
const deliveries = async (query = '') => {
  const answer = await ask('GET', `/webhook-endpoints/${endpointId}/deliveries${query}`);
  return webhookDeliveryListSchema.parse(answer.json);
};
const endedCall = async () => {
  const id = callIdSchema.parse((await ask('POST', '/outbound/calls', account.newCall)).call().id);
  await driveCall(api.database, id);
  return id;
};
const test = async (json: object = {}) => {
  const answer = await ask('POST', `/webhook-endpoints/${endpointId}/test`, json);
  expect(answer.status).toBe(202);
  return webhookMessageEnvelopeSchema.parse(answer.json).message;
};

const at = (agoMs: number) => new Date(Date.now() - agoMs).toISOString();

it('200: deliveries are listed newest first, in pages, by state, type and call', async () => {
  const first = await endedCall();
  const second = await endedCall();
  const all = await deliveries('?limit=100');
  expect(all.deliveries.map(({ type }) => type)).toContain('call.ended');
  const pages = [await deliveries('?limit=3')];
  for (let page = pages[0]; page?.next_cursor; page = pages.at(-1)) {
    pages.push(await deliveries(`?limit=3&cursor=${page.next_cursor}`));
  }
  expect(pages.flatMap((page) => page.deliveries)).toEqual(all.deliveries);
  const ended = await deliveries('?type=call.ended');
  expect(ended.deliveries.map(({ call_id }) => call_id)).toEqual([second, first]);
  const ofFirst = await deliveries(`?call_id=${first}&state=pending`);
  expect(new Set(ofFirst.deliveries.map(({ call_id }) => call_id))).toEqual(new Set([first]));
  expect((await deliveries('?state=failed')).deliveries).toEqual([]);
});

it('400 names a filter or a cursor that is not valid', async () => {
  for (const [query, param] of [
    ['?state=lost', 'state'],
    ['?type=call.bogus', 'type'],
    ['?call_id=1', 'call_id'],
    ['?cursor=abc', 'cursor'],
    ['?limit=0', 'limit'],
  ] as const) {
    const answer = await ask('GET', `/webhook-endpoints/${endpointId}/deliveries${query}`);
    expect([answer.status, answer.error().param]).toEqual([400, param]);
  }
});

it('202: a test message has an example body, marked as a test, and goes to this endpoint alone', async () => {
  await createEndpoint();
  const plain = await test();
  const message = await test({ type: 'call.ended' });
  expect(JSON.parse(plain.body ?? '')).toMatchObject({ type: 'webhook.test', test: true });
  expect(JSON.parse(message.body ?? '')).toMatchObject({ type: 'call.ended', test: true });
  const details = webhookMessageDetailSchema.parse((await ask('GET', `/webhook-messages/${message.id}`)).json);
  expect(details.message).toEqual(message);
  expect(details.deliveries).toMatchObject([{ endpoint_id: endpointId, state: 'pending', attempts: [] }]);
});

it('202: a message is sent once more, also to an endpoint that never had it', async () => {
  const message = await test();
  const otherId = await createEndpoint();
  for (const id of [endpointId, otherId]) {
    const answer = await ask('POST', `/webhook-messages/${message.id}/resend`, { endpoint_id: id });
    expect(answer.status).toBe(202);
    expect(webhookDeliveryEnvelopeSchema.parse(answer.json).delivery).toMatchObject({
      endpoint_id: id,
      state: 'pending',
    });
  }
});

it('409 resend_limit_reached: a message is not sent for ever', async () => {
  const message = await test();
  await api.database.side.$executeRaw`
    UPDATE webhook_deliveries SET attempts = 100 WHERE message_id = ${message.id}::uuid`;
  const answer = await ask('POST', `/webhook-messages/${message.id}/resend`, { endpoint_id: endpointId });
  expect([answer.status, answer.error()]).toMatchObject([409, { code: 'resend_limit_reached', details: { max: 100 } }]);
});

it('404: no such message, or another account’s; 404: no such endpoint to send it to', async () => {
  const message = await test();
  const { key } = await api.account({ scopes: ['manage'] });
  for (const [id, by] of [
    [randomUUID(), account.key],
    [message.id, key],
  ] as const) {
    const read = await ask('GET', `/webhook-messages/${id}`, undefined, by);
    const resent = await ask('POST', `/webhook-messages/${id}/resend`, { endpoint_id: endpointId }, by);
    for (const answer of [read, resent]) {
      expect([answer.status, answer.error().code]).toEqual([404, 'webhook_message_not_found']);
    }
  }
  const elsewhere = await ask('POST', `/webhook-messages/${message.id}/resend`, { endpoint_id: randomUUID() });
  expect([elsewhere.status, elsewhere.error().code]).toEqual([404, 'webhook_endpoint_not_found']);
});

it('409 webhook_endpoint_disabled: nothing is sent to a disabled endpoint', async () => {
  const message = await test();
  await disable();
  for (const [path, json] of [
    [`/webhook-endpoints/${endpointId}/test`, {}],
    [`/webhook-messages/${message.id}/resend`, { endpoint_id: endpointId }],
    [`/webhook-endpoints/${endpointId}/replays`, { since: new Date().toISOString() }],
  ] as const) {
    const answer = await ask('POST', path, json);
    expect([path, answer.status, answer.error().code]).toEqual([path, 409, 'webhook_endpoint_disabled']);
  }
});

it('202: a replay is begun, read and canceled; 409 replay_in_progress: an endpoint has one at a time', async () => {
  const path = `/webhook-endpoints/${endpointId}/replays`;
  const since = new Date(Date.now() - 60_000).toISOString();
  const begun = await ask('POST', path, { since, events: ['call.ended'], only: 'all' });
  expect(begun.status).toBe(202);
  const { replay } = webhookReplayEnvelopeSchema.parse(begun.json);
  expect(replay).toMatchObject({ since, events: ['call.ended'], only: 'all', state: 'running', replayed: 0 });
  const refused = await ask('POST', path, { since });
  expect([refused.status, refused.error().code]).toEqual([409, 'replay_in_progress']);
  expect((await ask('GET', `${path}/${replay.id}`)).json).toEqual({ replay });
  const canceled = await ask('POST', `${path}/${replay.id}/cancel`);
  expect(webhookReplayEnvelopeSchema.parse(canceled.json).replay).toEqual({ ...replay, state: 'cancelled' });
  expect((await ask('POST', path, { since })).status).toBe(202);
});

it('400 names events of a replay that the endpoint does not receive', async () => {
  await ask('PATCH', `/webhook-endpoints/${endpointId}`, { events: ['call.ended'] });
  const path = `/webhook-endpoints/${endpointId}/replays`;
  for (const [events, words] of [
    [['call.ended', 'call.queued'], 'call.ended'],
    [['webhook.test'], 'call.queued'],
  ] as const) {
    const answer = await ask('POST', path, { since: at(60_000), events });
    expect([answer.status, answer.error().param?.split('.')[0]]).toEqual([400, 'events']);
    expect(answer.error().message).toContain(words);
  }
  expect((await ask('POST', path, { since: at(60_000), events: ['call.ended'] })).status).toBe(202);
});

it('404 replay_not_found: of another endpoint or account', async () => {
  const since = new Date().toISOString();
  const begun = await ask('POST', `/webhook-endpoints/${endpointId}/replays`, { since });
  const { replay } = webhookReplayEnvelopeSchema.parse(begun.json);
  const otherId = await createEndpoint();
  const { key } = await api.account({ scopes: ['manage'] });
  for (const [path, by] of [
    [`/webhook-endpoints/${otherId}/replays/${replay.id}`, account.key],
    [`/webhook-endpoints/${endpointId}/replays/${replay.id}`, key],
  ] as const) {
    for (const answer of [await ask('GET', path, undefined, by), await ask('POST', `${path}/cancel`, undefined, by)]) {
      expect([answer.status, answer.error().code]).toEqual([404, 'replay_not_found']);
    }
  }
});

it('400: a replay reaches no further back than webhooks, timelines and calls are kept', async () => {
  const dayMs = 86_400_000;
  const begin = (days: number) =>
    ask('POST', `/webhook-endpoints/${endpointId}/replays`, { since: at(days * dayMs - 60_000) });
  const { retention } = api.admin;
  try {
    for (const [settings, days] of [
      [{ webhooks: 7 }, 7],
      [{ webhooks: null, timelines: 5 }, 5],
      [{ timelines: null, calls: 3 }, 3],
      [{ calls: 90 }, 30],
    ] as const) {
      await retention.set(settings);
      const refused = await begin(days + 1);
      expect([refused.status, refused.error()]).toMatchObject([
        400,
        { param: 'since', message: expect.stringContaining(`must be at most ${days} days ago`) },
      ]);
      const begun = await begin(days);
      expect(begun.status).toBe(202);
      const { id } = webhookReplayEnvelopeSchema.parse(begun.json).replay;
      await ask('POST', `/webhook-endpoints/${endpointId}/replays/${id}/cancel`);
    }
  } finally {
    await retention.set({ calls: null, timelines: null, webhooks: null });
  }
});

it('400: a replay reaches 30 days back, and ends after it begins', async () => {
  const dayMs = 86_400_000;
  for (const [json, param] of [
    [{ since: at(31 * dayMs) }, 'since'],
    [{ since: at(dayMs), until: at(2 * dayMs) }, 'until'],
    [{ since: 'yesterday' }, 'since'],
    [{ since: at(dayMs), only: 'some' }, 'only'],
  ] as const) {
    const answer = await ask('POST', `/webhook-endpoints/${endpointId}/replays`, json);
    expect([answer.status, answer.error().param]).toEqual([400, param]);
  }
});
