import { randomUUID } from 'node:crypto';
import { callEventListSchema, callIdSchema, type CallId } from '@outdial/contracts';
import { createLogger, invariant } from '@outdial/kernel';
import { connectForWaiting, subscribeToChangeSignals } from '@outdial/queue';
import { privatePostgres, privateRedis, type PrivateServer } from '@outdial/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claimCall, driveCall } from './drive.ts';
import { openApi, type TestApi } from './open-api.ts';
import type { TestAccount } from './seeds.ts';
import { openTimeline, type TimelineClient } from './timeline-client.ts';

let redis: PrivateServer;
let postgres: PrivateServer;
let api: TestApi;
let account: TestAccount;

beforeAll(async () => {
  [redis, postgres] = await Promise.all([privateRedis(), privatePostgres()]);
  api = await openApi({ stores: { redisUrl: redis.url, databaseUrl: postgres.url } });
  account = await api.account({ capacity: 1_000, balance: '1000' });
});
afterAll(async () => {
  await api.close();
  await Promise.all([redis.close(), postgres.close()]);
});

async function newCallId(of = account): Promise<CallId> {
  const answer = await api.request('POST', '/outbound/calls', { key: of.key, json: of.newCall });
  return callIdSchema.parse(answer.call().id);
}

const follow = (callId: string, url = api.url, key = account.key) => openTimeline(url, { callId, key });

/** The list, once it can be read again. */
async function list(callId: string) {
  const path = `/outbound/calls/${callId}/events`;
  const answer = await api.request('GET', path, { key: account.key });
  return callEventListSchema.parse(answer.json).events;
}

async function expectWhole(timeline: TimelineClient, callId: CallId): Promise<void> {
  expect(await timeline.ended).toEqual({ whole: true });
  expect(timeline.events()).toEqual(await list(callId));
}

describe('a timeline continues without losing or repeating an event', () => {
  const LOSSES = [
    ['was killed', (server: PrivateServer) => server.kill(), (server: PrivateServer) => server.start()],
    ['hung', (server: PrivateServer) => server.pause(), (server: PrivateServer) => server.resume()],
  ] as const;

  it.each(LOSSES)('after Postgres %s', async (_how, lose, restore) => {
    const callId = await newCallId();
    const timeline = await follow(callId);
    await timeline.until(1);
    const logged = api.logLines.length;
    await lose(postgres);
    await expect.poll(() => api.logLines.slice(logged).join('')).toContain('timelines could not be read');
    await restore(postgres);
    await expect.poll(() => driveOn(callId)).toBe(true);
    await expectWhole(timeline, callId);
  });

  it.each(LOSSES)('while Redis %s', async (_how, lose, restore) => {
    const callId = await newCallId();
    const timeline = await follow(callId);
    await lose(redis);
    await driveCall(api.database, callId);
    await expectWhole(timeline, callId);
    await restore(redis);
    await api.untilReady();
  });
});

/** False while the test's own connections have not yet noticed that they are dead. */
async function driveOn(callId: CallId): Promise<boolean> {
  return driveCall(api.database, callId).then(
    () => true,
    () => false,
  );
}

it('what the API commits is announced to its processes', async () => {
  const subscriber = connectForWaiting(redis.url);
  const heard: CallId[] = [];
  const logger = createLogger({ name: 'test', level: 'silent' });
  await subscribeToChangeSignals({ redis: subscriber, logger, onChanged: (callId) => heard.push(callId) });
  for (const prepare of [async () => {}, (id: CallId) => claimCall(api.database, id)]) {
    heard.length = 0;
    const callId = await newCallId();
    await expect.poll(() => heard).toEqual([callId]);
    await prepare(callId);
    await api.request('POST', `/outbound/calls/${callId}/end`, { key: account.key });
    await expect.poll(() => heard).toEqual([callId, callId]);
  }
  const counter = connectForWaiting(redis.url);
  await expect.poll(async () => (await counter.pubsub('NUMSUB', '{outdial-queue}:changes'))[1]).toBe(2);
  for (const connection of [subscriber, counter]) connection.disconnect();
});

it('ends cleanly when its key is revoked, and when its account is disabled', async () => {
  const [first, second, third] = [await api.account(), await api.account(), await api.account()];
  const [revoked, disabled, other] = await Promise.all(
    [first, second, third].map(async (of) => follow(await newCallId(of), api.url, of.key)),
  );
  const [key] = await api.admin.keys.list(first.id);
  invariant(key && revoked && disabled && other, 'the account has its key, and each its stream');
  await api.admin.keys.revoke(key.id);
  await api.admin.accounts.setEnabled(second.id, false);
  expect(await revoked.ended).toEqual({ whole: true });
  expect(await disabled.ended).toEqual({ whole: true });
  // Checked together with theirs: it would have ended by now.
  expect([other.events().length, await Promise.race([other.ended, Promise.resolve('open')])]).toEqual([1, 'open']);
  other.hangUp();
});

it('many followers of many calls each receive their own, from every process', async () => {
  const another = await api.startAnother();
  // One after the other: a busy machine may reject a burst, which is right and not what this test is about.
  const callIds: CallId[] = [];
  while (callIds.length < 40) callIds.push(await newCallId());
  const timelines = await Promise.all(
    callIds.flatMap((id) => [api, another].map(async ({ url }) => ({ id, timeline: await follow(id, url) }))),
  );
  const stranger = await api.request('GET', `/outbound/calls/${randomUUID()}/events`, { key: account.key });
  expect(stranger.status).toBe(404);
  for (const id of callIds) await driveCall(api.database, id);
  for (const { id, timeline } of timelines) await expectWhole(timeline, id);
});
