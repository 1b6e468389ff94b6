import { fakeClock, privateRedis, type PrivateServer } from '@outdial/testkit';
import { Cluster, Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { connectForWaiting, connectPatiently } from './connect.ts';
import { pingForWriting } from './redis-outages.ts';
import { stayConnected } from './stay-connected.ts';
import { openFakeSentinel, type FakeSentinel } from './testing/fake-sentinel.ts';

let server: PrivateServer;
let operator: Redis;
let sentinel: FakeSentinel;
const connections: Redis[] = [];
beforeAll(async () => {
  server = await privateRedis();
  operator = new Redis(server.url);
  sentinel = await openFakeSentinel(Number(new URL(server.url).port));
});
afterEach(() => {
  for (const redis of connections.splice(0)) redis.disconnect();
});
afterAll(async () => {
  operator.disconnect();
  await sentinel.close();
  await server.close();
});

function open(connect: typeof connectPatiently): Redis {
  const redis = connect(sentinel.url(new URL(server.url).password));
  if (redis instanceof Cluster) throw new Error('a connection through Sentinels is one to a server');
  return kept(redis);
}

function kept(redis: Redis): Redis {
  connections.push(redis);
  redis.on('error', () => undefined);
  return redis;
}

const untilReady = (redis: Redis) => expect.poll(() => redis.status, { timeout: 5_000 }).toBe('ready');

test.each([
  ['a connection', () => open(connectPatiently)],
  ['the duplicate of one, as BullMQ makes it,', () => kept(open(connectForWaiting).duplicate())],
  ['one that its user has closed and opened again', () => open(connectPatiently), true],
])('%s that is being opened when a failover is announced is opened again', async (_, opened, isReopened = false) => {
  const redis = opened();
  await untilReady(redis);
  if (isReopened) {
    const closed = new Promise<void>((resolve) => redis.once('end', resolve));
    redis.disconnect();
    await closed;
    await redis.connect();
  }
  sentinel.hold();
  await operator.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
  await sentinel.asked();
  const ended = new Promise<void>((resolve) => redis.once('end', resolve));
  await sentinel.announce();
  sentinel.release();
  await ended;
  await untilReady(redis);
  await pingForWriting(redis);
  expect(redis.status).toBe('ready');
});

test.each([
  ['disconnect', async (redis: Redis) => redis.disconnect()],
  ['quit', (redis: Redis) => redis.quit()],
])('a connection that its user closes by %s stays closed', async (_, close) => {
  const clock = fakeClock();
  const redis = kept(stayConnected(new Redis(server.url), clock));
  await untilReady(redis);
  const ended = new Promise<void>((resolve) => redis.once('end', resolve));
  await close(redis);
  await ended;
  await clock.advance(60_000);
  expect(redis.status).toBe('end');
});
