import { once } from 'node:events';
import { privateRedis, type PrivateServer } from '@outdial/testkit';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectForCommands, connectPatiently } from './connect.ts';
import { isRedisAway } from './redis-away.ts';
import type { RedisClient } from './redis-client.ts';

let server: PrivateServer;
let connections: RedisClient[];
beforeEach(async () => {
  server = await privateRedis();
  connections = [];
});
afterEach(async () => {
  for (const connection of connections) connection.disconnect();
  await server.close();
});

async function connected(connect: (url: string) => RedisClient): Promise<RedisClient> {
  const redis = connect(server.url);
  connections.push(redis);
  redis.on('error', () => undefined);
  await once(redis, 'ready');
  return redis;
}

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => 'it did not fail',
    (error: unknown) => error,
  );

test('a command in flight when Redis dies, and every later one, reports that Redis is away', async () => {
  const redis = await connected(connectForCommands);
  // Not `once` of node:events: it treats an earlier error as the result.
  const closed = new Promise<void>((resolve) => redis.once('close', () => resolve()));
  const underWay = failureOf(redis.blpop('nothing', 0));
  await server.kill();
  expect(isRedisAway(await underWay)).toBe(true);
  await closed;
  expect(isRedisAway(await failureOf(redis.ping()))).toBe(true);
});

test.each([
  ['at once', connectForCommands],
  ['patiently', connectPatiently],
])('a Redis that hangs is away for a command that waits %s', async (_, connect) => {
  const redis = await connected(connect);
  await server.pause();
  expect(isRedisAway(await failureOf(redis.ping()))).toBe(true);
  await server.resume();
});

test('an error of one command is no outage', async () => {
  const redis = await connected(connectForCommands);
  await redis.set('text', 'x');
  expect(isRedisAway(await failureOf(redis.incr('text')))).toBe(false);
  expect(isRedisAway(new Error('a defect'))).toBe(false);
  expect(isRedisAway(undefined)).toBe(false);
});

test.each([
  "READONLY You can't write against a read only replica.",
  "ERR Error running script (call to f_1): @user_script: 1: -READONLY You can't write against a read only replica.",
  'CLUSTERDOWN The cluster is down',
  'TRYAGAIN Multiple keys request during rehashing of slot',
  'UNBLOCKED force unblock from blocking operation, instance state changed (master -> replica?)',
])('a server that is changing its role is away: %s', (message) => {
  expect(isRedisAway(new Error(message))).toBe(true);
});
