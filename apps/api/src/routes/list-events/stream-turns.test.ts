import { callIdSchema, liveTurnSchema, type CallId, type LiveTurn } from '@outdial/contracts';
import { connectForWaiting, createTurnSignals } from '@outdial/queue';
import type { TurnSignals } from '@outdial/calls';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { claimCall } from '../../../test/drive.ts';
import { openEventStream, type StreamMessage } from '../../../test/event-stream-client.ts';
import { openApi, type TestApi } from '../../../test/open-api.ts';
import type { TestAccount } from '../../../test/seeds.ts';

let api: TestApi;
let account: TestAccount;
let signals: TurnSignals;

beforeAll(async () => {
  api = await openApi();
  account = await api.account({ capacity: 100 });
  const redis = connectForWaiting(api.stores.redisUrl);
  await redis.ping();
  signals = createTurnSignals({ redis });
  return () => redis.disconnect();
});
afterAll(() => api.close());

const turnOf = (index: number, text = `turn ${index}`): LiveTurn => ({
  index,
  replaces: [],
  role: index % 2 === 0 ? 'agent' : 'callee',
  text,
  start_ms: index * 1_000,
  end_ms: index * 1_000 + 900,
  source: index % 2 === 0 ? 'script' : 'stt',
  interrupted: false,
});

/** A call that a worker talks in. */
async function talkingCall() {
  const created = await api.request('POST', '/outbound/calls', { key: account.key, json: account.newCall });
  const callId = callIdSchema.parse(created.call().id);
  const { store, call } = await claimCall(api.database, callId);
  const fence = { callId, epoch: call.epoch };
  await store.advance({ ...fence, to: 'in_progress', atMs: call.startedAtMs + 500 });
  return {
    callId,
    store: (...turns: readonly LiveTurn[]) => store.renewLease({ ...fence, leaseMs: 60_000, turns }),
    end: () => api.request('POST', `/outbound/calls/${callId}/end`, { key: account.key }),
  };
}

const said = (messages: readonly StreamMessage[]) =>
  messages.filter(({ type }) => type === 'turn').map(({ data }) => liveTurnSchema.parse(JSON.parse(data)));

async function follow(callId: CallId, lastEventId?: string, key = account.key, lastTurn?: number) {
  const path = `/api/v1/outbound/calls/${callId}/events`;
  const last = lastEventId === undefined ? {} : { lastEventId };
  const headers = { 'X-API-Key': key, ...(lastTurn === undefined ? {} : { 'Last-Turn-Index': String(lastTurn) }) };
  const stream = await openEventStream(api.url, { path, headers, ...last });
  onTestFinished(() => stream.hangUp());
  return {
    ...stream,
    /** Resolves once this turn was received. */
    turn: async (index: number) => said(await stream.until((all) => said(all).some((turn) => turn.index === index))),
    turns: () => said(stream.messages()),
  };
}

it('a client that connects in the middle receives the stored turns, then each as it is spoken', async () => {
  const call = await talkingCall();
  await call.store(turnOf(0), turnOf(1));
  const stream = await follow(call.callId);
  await stream.turn(1);
  signals.publish(call.callId, [turnOf(2)]);
  expect(await stream.turn(2)).toEqual([turnOf(0), turnOf(1), turnOf(2)]);
  const types = stream.messages().map(({ type }) => type);
  expect(types.slice(0, 3)).toEqual(['queued', 'dialing', 'in_progress']);
});

it('turns that Redis lost arrive once a renewal has stored them', async () => {
  const call = await talkingCall();
  const stream = await follow(call.callId);
  await call.store(turnOf(0), turnOf(1));
  expect(await stream.turn(1)).toEqual([turnOf(0), turnOf(1)]);
});

const idsOf = (messages: readonly StreamMessage[]) => messages.flatMap(({ id }) => id ?? []);

it('after Last-Event-ID and Last-Turn-Index: later turns and events only', async () => {
  const call = await talkingCall();
  await call.store(turnOf(0), turnOf(1));
  const first = await follow(call.callId);
  await first.turn(1);
  const lastEventId = idsOf(first.messages()).at(-1);
  first.hangUp();
  signals.publish(call.callId, [turnOf(2)]);
  await call.store(turnOf(2));
  const resumed = await follow(call.callId, lastEventId, account.key, 0);
  await resumed.turn(2);
  expect(resumed.turns()).toEqual([turnOf(1), turnOf(2)]);
  await call.end();
  const all = await resumed.until((messages) => messages.some(({ type }) => type === 'end_requested'));
  expect(all.map(({ type }) => type)).toEqual(['turn', 'turn', 'end_requested']);
});

it('the version before takes every id: it is that of an event, and turns have none', async () => {
  const call = await talkingCall();
  await call.store(turnOf(0));
  const stream = await follow(call.callId);
  await stream.turn(0);
  await call.end();
  const messages = await stream.until((all) => all.some(({ type }) => type === 'end_requested'));
  expect(messages.some(({ type, id }) => type === 'turn' && id !== undefined)).toBe(false);
  const listed = await api.request('GET', `/outbound/calls/${call.callId}/events`, { key: account.key });
  const { events } = z.object({ events: z.array(z.object({ id: z.string() })) }).parse(listed.json);
  expect(idsOf(messages)).toEqual(events.map(({ id }) => id));
});

it('an id of the version before, which counts turns, resumes after them', async () => {
  const call = await talkingCall();
  await call.store(turnOf(0), turnOf(1));
  const first = await follow(call.callId);
  await first.turn(1);
  const resumed = await follow(call.callId, `${idsOf(first.messages()).at(-1)}-1`);
  expect(await resumed.turn(1)).toEqual([turnOf(1)]);
});

it('a Last-Turn-Index that is none is rejected', async () => {
  const call = await talkingCall();
  expect((await follow(call.callId, undefined, account.key, -1)).status).toBe(400);
});

it('an event’s id alone resumes with every turn', async () => {
  const call = await talkingCall();
  await call.store(turnOf(0));
  const first = await follow(call.callId);
  const [queued] = first.messages();
  const resumed = await follow(call.callId, queued?.id);
  expect(await resumed.turn(0)).toEqual([turnOf(0)]);
});

it('another account receives no turn, neither of this call nor in a stream of another call', async () => {
  const call = await talkingCall();
  const other = await api.account({});
  const created = await api.request('POST', '/outbound/calls', { key: other.key, json: other.newCall });
  const foreign = await follow(call.callId, undefined, other.key);
  expect(foreign.status).toBe(404);
  const theirs = await follow(callIdSchema.parse(created.call().id), undefined, other.key);
  const ours = await follow(call.callId);
  await call.store(turnOf(0));
  signals.publish(call.callId, [turnOf(0), turnOf(1)]);
  await ours.turn(1);
  await api.request('POST', `/outbound/calls/${created.call().id}/end`, { key: other.key });
  await theirs.ended;
  expect(theirs.text()).not.toContain('turn');
});

it('a client that reads too slowly is disconnected, and its turns are not kept for it', async () => {
  const call = await talkingCall();
  const stream = await follow(call.callId);
  const reader = await follow(call.callId);
  stream.stopReading();
  const logged = api.logLines.length;
  const isCutOff = () => api.logLines.slice(logged).join('').includes('more slowly than events arrive');
  const words = 'word '.repeat(800);
  for (let index = 0; !isCutOff() && index < 5_000; index += 1) {
    signals.publish(call.callId, [turnOf(index, words)]);
    if (index % 50 === 0) await reader.turn(index);
  }
  expect(isCutOff()).toBe(true);
});
