import { randomBytes, randomUUID } from 'node:crypto';
import {
  callIdSchema,
  createdWebhookListenerSchema,
  listenerWebhookSchema,
  webhookDeliveryListSchema,
  webhookMessageDetailSchema,
  type ListenerWebhookBody,
} from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { webhooks } from '@outdial/sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { driveCall } from '../../../test/drive.ts';
import { openEventStream } from '../../../test/event-stream-client.ts';
import { openApi, type TestApi } from '../../../test/open-api.ts';
import type { TestAccount } from '../../../test/seeds.ts';

let api: TestApi;
let account: TestAccount;
beforeAll(async () => {
  api = await openApi({ secretKey: randomBytes(32), limits: { OUTDIAL_KEY_STREAMS: '20' } });
});
beforeEach(async () => {
  account = await api.account({ scopes: ['outbound', 'manage'] });
});
afterAll(() => api.close());

const ask = (method: string, path: string, json?: unknown, key = account.key) =>
  api.request(method, path, { key, ...(json === undefined ? {} : { json }) });
async function listen(json: object = {}, key = account.key) {
  const answer = await ask('POST', '/webhook-listeners', json, key);
  expect(answer.status).toBe(201);
  return createdWebhookListenerSchema.parse(answer.json);
}
async function open(listenerId: string, { url = api.url, key = account.key } = {}) {
  const path = `/api/v1/webhook-listeners/${listenerId}/stream`;
  const stream = await openEventStream(url, { path, headers: { 'X-API-Key': key } });
  onTestFinished(() => stream.hangUp());
  const read = () => stream.messages().map(({ data }) => listenerWebhookSchema.parse(JSON.parse(data)));
  return {
    ...stream,
    async next(count: number): Promise<readonly ListenerWebhookBody[]> {
      await stream.until(({ length }) => length >= count);
      return read();
    },
  };
}
const resultOf = ({ message_id, attempt }: ListenerWebhookBody, status = 204) => ({
  message_id,
  attempt,
  status,
  error: null,
  duration_ms: 12,
});
const report = (listenerId: string, result: object, key = account.key) =>
  ask('POST', `/webhook-listeners/${listenerId}/results`, result, key);
const placeCall = async () => callIdSchema.parse((await ask('POST', '/outbound/calls', account.newCall)).call().id);
const first = <Item>([item]: readonly Item[]): Item => {
  invariant(item !== undefined, 'there is one');
  return item;
};

it('a stream carries what an endpoint would get, and each result is the attempt of the log', async () => {
  const { listener, secret } = await listen();
  const stream = await open(listener.id);
  const callId = await placeCall();
  await driveCall(api.database, callId);
  const heard: ListenerWebhookBody[] = [];
  while (heard.at(-1)?.type !== 'call.ended') {
    const message = (await stream.next(heard.length + 1)).at(-1);
    invariant(message, 'there is one more');
    heard.push(message);
    const event = webhooks.verify(message.body, message.headers, secret);
    expect(event.type).toBe(message.type);
    expect((await report(listener.id, resultOf(message))).status).toBe(204);
  }
  const types = ['call.queued', 'call.dialing', 'call.ringing', 'call.answered', 'call.ended'];
  expect(heard.map(({ type }) => type)).toEqual(types);
  expect(first(heard)).toMatchObject({
    type: 'call.queued',
    call_id: callId,
    attempt: 1,
    headers: {
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^Outdial-Webhooks\/\d/),
      'outdial-version': '2026-12-01',
      'webhook-id': `msg_${first(heard).message_id}`,
    },
  });
  const log = await ask('GET', `/webhook-endpoints/${listener.id}/deliveries?state=delivered`);
  expect(webhookDeliveryListSchema.parse(log.json).deliveries).toHaveLength(heard.length);
});

it('the log has what the receiver answered, without cookies', async () => {
  const { listener } = await listen({ events: ['call.queued'] });
  const stream = await open(listener.id);
  await placeCall();
  const message = first(await stream.next(1));
  const response = { response_headers: { 'Set-Cookie': 'a=1', 'X-A': 'b' }, response_body: 'No.\0' };
  await report(listener.id, { ...resultOf(message, 500), ...response });
  // Twice changes nothing.
  expect((await report(listener.id, resultOf(message, 500))).status).toBe(204);
  const details = webhookMessageDetailSchema.parse((await ask('GET', `/webhook-messages/${message.message_id}`)).json);
  const logged = details.deliveries.filter(({ endpoint_id: id }) => id === listener.id);
  expect(logged).toMatchObject([
    {
      state: 'failed',
      attempts: [
        {
          number: 1,
          status: 500,
          error: 'status',
          duration_ms: 12,
          response_headers: { 'x-a': 'b' },
          response_body: 'No.\ufffd',
        },
      ],
    },
  ]);
  // On request it is sent once more, with the next attempt.
  await ask('POST', `/webhook-messages/${message.message_id}/resend`, { endpoint_id: listener.id });
  const [, again] = await stream.next(2);
  expect(again).toMatchObject({ message_id: message.message_id, attempt: 2, body: message.body });
});

it('a stream that breaks loses nothing: what waits goes to the next one, also of another process', async () => {
  const { listener } = await listen({ events: ['call.queued'] });
  const broken = await open(listener.id);
  broken.hangUp();
  await broken.ended;
  await placeCall();
  const another = await api.startAnother();
  expect(first(await (await open(listener.id, { url: another.url })).next(1)).type).toBe('call.queued');
});

it('each message goes to one of the streams of a listener', async () => {
  const { listener } = await listen({ events: ['call.queued'] });
  const streams = await Promise.all([open(listener.id), open(listener.id), open(listener.id)]);
  await Promise.all(Array.from({ length: 6 }, placeCall));
  const ids = () => streams.flatMap((stream) => stream.messages()).map(({ data }) => JSON.parse(data).message_id);
  await expect.poll(() => ids().length).toBe(6);
  expect(new Set(ids()).size).toBe(6);
});

describe('neighbors', () => {
  it('with all the streams that they may open take nothing from others', async () => {
    const neighbor = await api.account({ scopes: ['outbound', 'manage'] });
    const ids: string[] = [];
    let refused = await ask('POST', '/webhook-listeners', {}, neighbor.key);
    while (refused.status === 201) {
      ids.push(createdWebhookListenerSchema.parse(refused.json).listener.id);
      refused = await ask('POST', '/webhook-listeners', {}, neighbor.key);
    }
    expect([refused.status, refused.error().details]).toEqual([
      429,
      { scope: 'account', thing: 'webhook_listeners', max: 5 },
    ]);
    const statuses: number[] = [];
    while (statuses.at(-1) !== 429) {
      statuses.push((await open(ids[statuses.length % ids.length] ?? '', { key: neighbor.key })).status);
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    await Promise.all(Array.from({ length: 5 }, () => ask('POST', '/outbound/calls', neighbor.newCall, neighbor.key)));
    const { listener } = await listen({ events: ['call.queued'] });
    const stream = await open(listener.id);
    await placeCall();
    expect(first(await stream.next(1)).type).toBe('call.queued');
  });

  it('404: find nothing of a listener of another account', async () => {
    const { listener } = await listen({ events: ['call.queued'] });
    const stream = await open(listener.id);
    await placeCall();
    const message = first(await stream.next(1));
    const { key } = await api.account({ scopes: ['manage'] });
    const path = `/webhook-listeners/${listener.id}`;
    for (const answer of [
      await ask('GET', `${path}/stream`, undefined, key),
      await ask('DELETE', path, undefined, key),
      await report(listener.id, resultOf(message), key),
    ]) {
      expect([answer.status, answer.error().code]).toEqual([404, 'webhook_listener_not_found']);
    }
    expect((await ask('GET', `/webhook-endpoints/${listener.id}/deliveries`, undefined, key)).status).toBe(404);
    expect((await report(listener.id, resultOf(message))).status).toBe(204);
  });
});

it('204: an ended listener ends its streams; 404: after that it has no stream and no results', async () => {
  const { listener } = await listen();
  const stream = await open(listener.id);
  await placeCall();
  const message = first(await stream.next(1));
  expect((await ask('DELETE', `/webhook-listeners/${listener.id}`)).status).toBe(204);
  expect(await stream.ended).toEqual({ whole: true });
  const answer = await report(listener.id, resultOf(message));
  expect([answer.status, answer.error().code]).toEqual([404, 'webhook_listener_not_found']);
  expect(answer.error().message).toContain('has expired');
  expect((await ask('GET', `/webhook-listeners/${listener.id}/stream`)).status).toBe(404);
});

it('404: a result of what was not handed out', async () => {
  const { listener } = await listen({ events: ['call.ended'] });
  const result = { message_id: randomUUID(), attempt: 1, status: 200, error: null, duration_ms: 1 };
  const answer = await report(listener.id, result);
  expect([answer.status, answer.error().code]).toEqual([404, 'webhook_message_not_found']);
});

it('400 names what is wrong in a result, 413: it is too large', async () => {
  const { listener } = await listen();
  const result = { message_id: randomUUID(), attempt: 1, status: 200, error: null, duration_ms: 1 };
  for (const [wrong, param] of [
    [{ attempt: 0 }, 'attempt'],
    [{ status: 99 }, 'status'],
    [{ error: 'timeout' }, 'error'],
    [{ status: null }, 'error'],
    [{ status: null, error: 'secret' }, 'error'],
    [{ duration_ms: -1 }, 'duration_ms'],
    [{ response_body: 'x'.repeat(16_385) }, 'response_body'],
    [{ response_headers: { a: 'x'.repeat(1_025) } }, 'response_headers.a'],
    [{ worker_id: 'me' }, 'worker_id'],
  ] as const) {
    const answer = await report(listener.id, { ...result, ...wrong });
    expect([answer.status, answer.error().param]).toEqual([400, param]);
  }
  const large = await report(listener.id, { ...result, response_body: 'x'.repeat(70_000) });
  expect([large.status, large.error().code]).toEqual([413, 'body_too_large']);
});

it('403: a key without the scope manage, 409: no secret key', async () => {
  const { key } = await api.account({ scopes: ['outbound'] });
  const refused = await ask('POST', '/webhook-listeners', {}, key);
  expect([refused.status, refused.error().code]).toEqual([403, 'scope_missing']);
  const bare = await openApi({ stores: api.stores });
  onTestFinished(() => bare.close());
  const missing = await bare.request('POST', '/webhook-listeners', { key: account.key, json: {} });
  expect([missing.status, missing.error().code]).toEqual([409, 'secret_key_missing']);
});
