import { PassThrough } from 'node:stream';
import { callIdSchema, type CallId } from '@outdial/contracts';
import type { CallEvent } from '@outdial/calls';
import { createAnalysisStore } from '@outdial/persistence';
import { fakeClock } from '@outdial/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { driveCall } from '../../../test/drive.ts';
import { openApi, type TestApi } from '../../../test/open-api.ts';
import type { TestAccount } from '../../../test/seeds.ts';
import { openTimeline } from '../../../test/timeline-client.ts';
import { streamEvents } from './stream-events.ts';

let api: TestApi;
let account: TestAccount;
beforeAll(async () => {
  api = await openApi();
  account = await api.account();
});
afterAll(() => api.close());

/** A call that has ended, and waits for its analysis. */
async function awaitedCall(): Promise<CallId> {
  const created = await api.request('POST', '/outbound/calls', { key: account.key, json: account.newCall });
  const id = callIdSchema.parse(created.call().id);
  await api.database.side.$executeRaw`INSERT INTO model_calls (call_id, driver) VALUES (${id}::uuid, 'realtime')`;
  await driveCall(api.database, id, { settlement: { wantsAnalysis: true } });
  return id;
}

async function analyze(callId: CallId): Promise<void> {
  const store = createAnalysisStore(api.database);
  const claim = await store.claim({ callId, leaseMs: 60_000 });
  if (claim.kind !== 'claimed') throw new Error('the call waits for its analysis');
  const end = { status: 'skipped', problem: 'model_not_priced', analysis: null } as const;
  await store.finish({ callId, lease: claim.job.lease, end, payment: null });
}

const follow = (callId: CallId, lastEventId?: string) =>
  openTimeline(api.url, { callId, key: account.key, ...(lastEventId === undefined ? {} : { lastEventId }) });

it('a stream stays open after `ended` while an analysis is pending, and ends with `analyzed`', async () => {
  const id = await awaitedCall();
  const timeline = await follow(id);
  const ended = (await timeline.until(5)).at(-1);
  expect(ended).toMatchObject({ type: 'ended', data: { analysis_status: 'pending' } });
  const resumed = await follow(id, ended?.id);
  await analyze(id);
  expect(await timeline.ended).toEqual({ whole: true });
  expect(timeline.events().at(-1)).toMatchObject({ type: 'analyzed', data: { problem: 'model_not_priced' } });
  await resumed.ended;
  expect(resumed.events().map(({ type }) => type)).toEqual(['analyzed']);
  const last = timeline.events().at(-1)?.id ?? '';
  const headers = { Accept: 'text/event-stream', 'Last-Event-ID': last };
  expect((await api.request('GET', `/outbound/calls/${id}/events`, { key: account.key, headers })).status).toBe(204);
});

it('the call shows how far its analysis is', async () => {
  const id = await awaitedCall();
  const read = async () => (await api.request('GET', `/outbound/calls/${id}`, { key: account.key })).call();
  expect(await read()).toMatchObject({ status: 'ended', analysis_status: 'pending', analysis: null });
  await analyze(id);
  expect(await read()).toMatchObject({ analysis_status: 'skipped', analysis: null });
});

it('a stream waits two minutes at most; after that a client has the whole timeline', async () => {
  const clock = fakeClock();
  const id = callIdSchema.parse('0b000000-0000-4000-8000-000000000002');
  const ended: CallEvent = { id: '7', atMs: clock.nowMs(), type: 'ended', data: { analysis_status: 'pending' } };
  let isOver = false;
  const stream = { body: new PassThrough(), send: () => undefined, end: () => void (isOver = true) };
  const nothing = { follow: () => () => undefined };
  const deps = { streams: { open: () => stream }, timelines: nothing, turns: nothing, clock };
  // Whose it is does not matter here: the fake opens every stream.
  const principal = Object.create(null);
  const request = { principal, callId: id, events: [ended], position: { eventId: '7', fromIndex: 0 }, isHead: false };
  expect(streamEvents(deps, request).status).toBe(200);
  await clock.advance(119_000);
  expect(isOver).toBe(false);
  await clock.advance(1_000);
  expect(isOver).toBe(true);
  expect(streamEvents(deps, request).status).toBe(204);
});
