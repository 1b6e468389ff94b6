import { randomUUID } from 'node:crypto';
import { callEventListSchema, callIdSchema, type CallId } from '@outdial/contracts';
import { EventSource } from 'eventsource';
import { settlementOf } from '@outdial/calls/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claimCall, driveCall } from '../../../test/drive.ts';
import { openApi, type TestApi } from '../../../test/open-api.ts';
import { openConnection } from '../../../test/raw-connection.ts';
import type { TestAccount } from '../../../test/seeds.ts';
import { openTimeline } from '../../../test/timeline-client.ts';

let api: TestApi;
let account: TestAccount;

beforeAll(async () => {
  api = await openApi({ limits: { OUTDIAL_KEY_STREAMS: '3' } });
  account = await api.account({ capacity: 100 });
});
afterAll(() => api.close());

async function newCallId(): Promise<CallId> {
  const created = await api.request('POST', '/outbound/calls', { key: account.key, json: account.newCall });
  return callIdSchema.parse(created.call().id);
}

async function endedCallId(): Promise<CallId> {
  const id = await newCallId();
  await driveCall(api.database, id);
  return id;
}

const follow = (callId: string, lastEventId?: string, key = account.key) =>
  openTimeline(api.url, { callId, key, ...(lastEventId === undefined ? {} : { lastEventId }) });
const list = async (callId: string) => {
  const answer = await api.request('GET', `/outbound/calls/${callId}/events`, { key: account.key });
  return callEventListSchema.parse(answer.json).events;
};
const asStream = (path: string, key: string, headers = {}) =>
  api.request('GET', path, { key, headers: { Accept: 'text/event-stream', ...headers } });

describe('200', () => {
  it('of an ended call: the whole timeline as the list shows it, then the end', async () => {
    const id = await endedCallId();
    const timeline = await follow(id);
    expect(await timeline.ended).toEqual({ whole: true });
    expect(timeline.text()).toMatch(/^retry: \d+\n\n/);
    expect(timeline.events()).toEqual(await list(id));
    expect(timeline.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-request-id': expect.any(String),
    });
  });

  it('of a live call: past events, then each event as it happens, even without a hint', async () => {
    const id = await newCallId();
    const timeline = await follow(id);
    expect((await timeline.until(1)).map(({ type }) => type)).toEqual(['queued']);
    // The store writes as a worker does, but announces nothing.
    const { store, call } = await claimCall(api.database, id);
    expect((await timeline.until(2)).at(-1)?.type).toBe('dialing');
    await store.advance({ callId: id, epoch: call.epoch, to: 'ringing', atMs: call.startedAtMs + 500, sipCode: 180 });
    expect((await timeline.until(3)).at(-1)).toMatchObject({ type: 'ringing', data: { sip_code: 180 } });
    await api.request('POST', `/outbound/calls/${id}/end`, { key: account.key });
    expect((await timeline.until(4)).at(-1)?.type).toBe('end_requested');
    timeline.hangUp();
  });

  it('ends with the event `ended`, having sent every event once', async () => {
    const id = await newCallId();
    const timelines = [await follow(id), await follow(id)];
    await driveCall(api.database, id);
    for (const timeline of timelines) {
      expect(await timeline.ended).toEqual({ whole: true });
      expect(timeline.events()).toEqual(await list(id));
    }
  });

  it('after Last-Event-ID: later events only', async () => {
    const id = await endedCallId();
    const events = await list(id);
    const timeline = await follow(id, events[1]?.id);
    await timeline.ended;
    expect(timeline.events()).toEqual(events.slice(2));
    const live = await newCallId();
    const [queued] = await list(live);
    const resumed = await follow(live, queued?.id);
    await driveCall(api.database, live);
    await resumed.ended;
    expect(resumed.events()).toEqual((await list(live)).slice(1));
  });

  it('the list if JSON is accepted equally, and for HEAD the headers alone', async () => {
    const id = await newCallId();
    const path = `/outbound/calls/${id}/events`;
    for (const accept of ['*/*', 'application/json, text/event-stream;q=0.9', 'text/html', 'text/event-stream;q=0']) {
      const answer = await asStream(path, account.key, { Accept: accept });
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    }
    const both = 'application/json;q=0.5, text/event-stream';
    for (const accept of ['text/event-stream', both]) {
      const head = await api.request('HEAD', path, { key: account.key, headers: { Accept: accept } });
      expect([head.status, head.headers.get('content-type'), head.text]).toEqual([200, 'text/event-stream', '']);
    }
  });
});

it('204 once a client has the whole timeline of a call that has ended', async () => {
  const id = await endedCallId();
  const last = (await list(id)).at(-1)?.id ?? '';
  const answer = await asStream(`/outbound/calls/${id}/events`, account.key, { 'Last-Event-ID': last });
  expect([answer.status, answer.text, answer.headers.get('content-length')]).toEqual([204, '', null]);
});

it('a recording that is ready after the end is in the list, and in no stream', async () => {
  const id = await newCallId();
  const { store, call } = await claimCall(api.database, id);
  const live = await follow(id);
  await store.settle(settlementOf(call, { recordingKey: 'ab/1.wav' }));
  const events = await list(id);
  expect(events.slice(-2).map(({ type }) => type)).toEqual(['ended', 'recording_available']);
  const late = await follow(id);
  for (const timeline of [live, late]) {
    expect(await timeline.ended).toEqual({ whole: true });
    expect(timeline.events()).toEqual(events.slice(0, -1));
  }
  for (const event of events.slice(-2)) {
    const answer = await asStream(`/outbound/calls/${id}/events`, account.key, { 'Last-Event-ID': event.id });
    expect(answer.status).toBe(204);
  }
});

it('an EventSource receives every event and then stops reconnecting', async () => {
  const id = await newCallId();
  const asked: number[] = [];
  const source = new EventSource(`${api.url}/api/v1/outbound/calls/${id}/events`, {
    async fetch(url, init) {
      const headers = { ...init.headers, 'X-API-Key': account.key };
      let response = await fetch(url, { ...init, headers });
      // A busy machine may answer 503, after which an EventSource would not reconnect.
      while (response.status === 503) response = await fetch(url, { ...init, headers });
      asked.push(response.status);
      return response;
    },
  });
  const heard: unknown[] = [];
  for (const type of ['queued', 'dialing', 'ringing', 'in_progress', 'ended']) {
    source.addEventListener(type, ({ data }) => heard.push(JSON.parse(data)));
  }
  await driveCall(api.database, id);
  await expect.poll(() => source.readyState).toBe(source.CLOSED);
  expect(heard).toEqual(await list(id));
  expect(asked).toEqual([200, 204]);
});

describe('before the stream begins', () => {
  it('400 for a malformed id, and for a Last-Event-ID of another call', async () => {
    const malformed = await asStream('/outbound/calls/x/events', account.key);
    expect([malformed.status, malformed.error().param]).toEqual([400, 'call_id']);
    const [id, other] = [await newCallId(), await newCallId()];
    for (const lastEventId of ['x', '0', '99999999999999999999', (await list(other))[0]?.id]) {
      const headers = { 'Last-Event-ID': lastEventId };
      const answer = await asStream(`/outbound/calls/${id}/events`, account.key, headers);
      expect([answer.status, answer.error().param]).toEqual([400, 'Last-Event-ID']);
    }
  });

  it('401 without a key, 404 for an unknown or another account’s call, 429 beyond the key’s rate', async () => {
    const id = await newCallId();
    const path = `/outbound/calls/${id}/events`;
    expect((await api.request('GET', path, { headers: { Accept: 'text/event-stream' } })).status).toBe(401);
    const stranger = await api.account();
    expect((await asStream(path, stranger.key)).error().code).toBe('call_not_found');
    expect((await asStream(`/outbound/calls/${randomUUID()}/events`, account.key)).status).toBe(404);
    const limited = await api.account({ requestsPerSecond: 1 });
    const unknown = `/outbound/calls/${randomUUID()}/events`;
    const answers = await Promise.all(Array.from({ length: 20 }, () => asStream(unknown, limited.key)));
    expect(answers.map(({ status }) => status)).toContain(429);
  });

  it('429 while the key is at its limit of streams; closing one frees a place', async () => {
    const id = await newCallId();
    const open = [await follow(id), await follow(id), await follow(id)];
    const refused = await asStream(`/outbound/calls/${id}/events`, account.key);
    expect([refused.status, refused.error().code, refused.headers.get('retry-after')]).toEqual([
      429,
      'rate_limited',
      '1',
    ]);
    // The list and other keys are not affected.
    expect((await list(id)).length).toBe(1);
    open[0]?.hangUp();
    await expect.poll(async () => (open[0] = await follow(id)).status).toBe(200);
    for (const timeline of open) timeline.hangUp();
  });
});

it('clients that disconnect at any moment leave no stream behind', async () => {
  const id = await newCallId();
  const request = `GET /api/v1/outbound/calls/${id}/events HTTP/1.1\r\nHost: x\r\nX-API-Key: ${account.key}\r\nAccept: text/event-stream\r\n\r\n`;
  for (let turns = 0; turns < 60; turns += 1) {
    const connection = await openConnection(api.url);
    connection.send(request);
    for (let turn = 0; turn < turns % 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    connection.hangUp();
  }
  // All places of the key are free again, at the same time.
  await expect
    .poll(async () => {
      const all = [await follow(id), await follow(id), await follow(id)];
      for (const timeline of all) timeline.hangUp();
      return all.map(({ status }) => status);
    })
    .toEqual([200, 200, 200]);
});
