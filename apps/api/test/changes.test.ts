import { callIdSchema, type CallId } from '@outdial/contracts';
import { privatePostgres, privateRedis, type PrivateServer } from '@outdial/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openChanges, type ChangeClient } from './change-client.ts';
import { openDesk, type Desk } from './desk.ts';
import { driveCall } from './drive.ts';
import { openApi, type TestApi } from './open-api.ts';
import type { TestAccount } from './seeds.ts';

let redis: PrivateServer;
let postgres: PrivateServer;
let api: TestApi;
let account: TestAccount;
let member: Desk;

beforeAll(async () => {
  [redis, postgres] = await Promise.all([privateRedis(), privatePostgres()]);
  api = await openApi({ stores: { redisUrl: redis.url, databaseUrl: postgres.url } });
  account = await api.account({ capacity: 1_000, balance: '1000' });
  member = await openDesk(api, account.id, 'member');
});
afterAll(async () => {
  await api.close();
  await Promise.all([redis.close(), postgres.close()]);
});

async function newCallId(): Promise<CallId> {
  const answer = await api.request('POST', '/outbound/calls', { key: account.key, json: account.newCall });
  return callIdSchema.parse(answer.call().id);
}

/** Resolves once it follows: later changes are sent. */
async function followed(url = api.url): Promise<ChangeClient> {
  const stream = await openChanges(url, { accountId: account.id, headers: member.headers });
  await stream.until(({ length }) => length > 0);
  return stream;
}

const untilEnded = (stream: ChangeClient, ids: readonly CallId[]) =>
  stream.until((all) => {
    const ended = new Set(
      all.flatMap((one) => (one.kind === 'call' && one.call.status === 'ended' ? [one.call.id] : [])),
    );
    return ids.every((id) => ended.has(id));
  });

/** False while the test's own connections have not yet noticed that they are dead. */
const driveOn = (callId: CallId): Promise<boolean> =>
  driveCall(api.database, callId).then(
    () => true,
    () => false,
  );

const LOSSES = [
  ['was killed', (server: PrivateServer) => server.kill(), (server: PrivateServer) => server.start()],
  ['hung', (server: PrivateServer) => server.pause(), (server: PrivateServer) => server.resume()],
] as const;

describe('a change stream continues without losing a change', () => {
  it.each(LOSSES)('after Postgres %s', async (_how, lose, restore) => {
    const callId = await newCallId();
    const stream = await followed();
    const logged = api.logLines.length;
    await lose(postgres);
    await expect.poll(() => api.logLines.slice(logged).join('')).toContain('changes could not be read');
    await restore(postgres);
    await expect.poll(() => driveOn(callId)).toBe(true);
    await untilEnded(stream, [callId]);
    expect(stream.changes().filter(({ kind }) => kind === 'resync')).toHaveLength(1);
    stream.hangUp();
  });

  it.each(LOSSES)('while Redis %s', async (_how, lose, restore) => {
    const callId = await newCallId();
    const stream = await followed();
    await lose(redis);
    await driveCall(api.database, callId);
    await untilEnded(stream, [callId]);
    expect(stream.changes().filter(({ kind }) => kind === 'resync')).toHaveLength(1);
    stream.hangUp();
    await restore(redis);
    await api.untilReady();
  });
});

it('every follower of an account receives all its calls, from every process', async () => {
  const another = await api.startAnother();
  await another.untilReady();
  const streams = await Promise.all([api.url, api.url, another.url, another.url].map((url) => followed(url)));
  const callIds = await Promise.all(Array.from({ length: 30 }, () => newCallId()));
  for (const id of callIds) await driveCall(api.database, id);
  for (const stream of streams) {
    await untilEnded(stream, callIds);
    expect(stream.changes().filter(({ kind }) => kind === 'resync')).toHaveLength(1);
    stream.hangUp();
  }
});

it('a client that does not read is disconnected, and resumes from its position', async () => {
  const stream = await followed();
  const lastEventId = stream.lastEventId();
  stream.stopReading();
  // Its connection and its buffer hold megabytes: calls with long texts soon exceed that.
  const settlement = { summary: 'x'.repeat(100_000) };
  const callIds: CallId[] = [];
  const logged = api.logLines.length;
  const isCutOff = () => api.logLines.slice(logged).join('').includes('more slowly than events arrive');
  while (!isCutOff()) {
    const ids = await Promise.all(Array.from({ length: 10 }, () => newCallId()));
    callIds.push(...ids);
    for (const id of ids) await driveCall(api.database, id, { settlement });
  }
  stream.hangUp();
  const again = await openChanges(api.url, {
    accountId: account.id,
    headers: member.headers,
    ...(lastEventId === undefined ? {} : { lastEventId }),
  });
  await untilEnded(again, callIds);
  expect(again.changes().filter(({ kind }) => kind === 'resync')).toEqual([]);
  again.hangUp();
});
