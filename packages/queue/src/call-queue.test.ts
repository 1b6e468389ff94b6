import { setTimeout as sleep } from 'node:timers/promises';
import { describeCallQueue, newCallId } from '@outdial/calls/testing';
import { CALL_QUEUE } from '@outdial/contracts';
import { createLogger } from '@outdial/kernel';
import { privateRedis, testStores, type TestStores } from '@outdial/testkit';
import { Queue } from 'bullmq';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createCallQueue, type OwnedCallQueue } from './call-queue.ts';
import { connectForCommands, connectForWaiting } from './connect.ts';
import { DEFAULT_QUEUE_PREFIX } from './keys.ts';
import type { RedisClient } from './redis-client.ts';

const logger = createLogger({ name: 'test', level: 'silent' });
let stores: TestStores;
let redis: RedisClient;
let queue: OwnedCallQueue;
/** BullMQ's own view. */
let inside: Queue;

beforeAll(async () => {
  stores = await testStores();
});
afterAll(() => stores.close());

beforeEach(async () => {
  redis = await connected(connectForWaiting(stores.redisUrl));
  await redis.flushdb();
  queue = createCallQueue({ redis, logger });
  inside = new Queue(CALL_QUEUE, { connection: redis, prefix: DEFAULT_QUEUE_PREFIX });
});
afterEach(async () => {
  await queue.close();
  await inside.close();
  redis.disconnect();
});

async function connected(connection: RedisClient): Promise<RedisClient> {
  connection.on('error', () => undefined);
  await new Promise<void>((resolve) => connection.once('ready', () => resolve()));
  return connection;
}

/** Retries the add: on a busy machine any command may time out. */
async function addWithRetries(adding: OwnedCallQueue): Promise<void> {
  const callId = newCallId();
  await expect.poll(() => adding.add([callId]).then(() => adding.missing([callId]))).toEqual([]);
}

describeCallQueue('on BullMQ', async () => ({
  queue,
  delay: async (callId) => void (await inside.add('call', { call_id: callId }, { jobId: callId, delay: 60_000 })),
  async leaveFinished(callId) {
    await inside.add('call', { call_id: callId }, { jobId: callId });
    // A crashed version with other settings may have left this.
    await redis.hset(inside.toKey(callId), 'finishedOn', String(Date.now()));
  },
  waiting: () => inside.getWaitingCount(),
  close: async () => undefined,
}));

test('an add fails within a second while Redis hangs, and works once it is back', async () => {
  const server = await privateRedis();
  const connection = await connected(connectForCommands(server.url));
  const adding = createCallQueue({ redis: connection, logger });
  await addWithRetries(adding);
  await server.pause();
  // Measured by timers: on a machine that stops for a while both expire, and fire in their order.
  const second = sleep(1_000, 'a second');
  const failure = adding.add([newCallId()]).catch(String);
  expect(await Promise.race([failure, second])).toContain('timed out');
  await server.resume();
  await addWithRetries(adding);
  await adding.close();
  connection.disconnect();
  await server.close();
});

test('a queue that was first used while Redis hung works once Redis is back, and leaves no listeners behind', async () => {
  const server = await privateRedis();
  const connection = await connected(connectForCommands(server.url));
  const listeners = () => connection.listenerCount('close');
  const before = listeners();
  await server.pause();
  const adding = createCallQueue({ redis: connection, logger });
  for (let use = 0; use < 3; use += 1) await expect(adding.add([newCallId()])).rejects.toThrow('timed out');
  await server.resume();
  await addWithRetries(adding);
  expect(listeners()).toBe(before + 1);
  await adding.close();
  connection.disconnect();
  await server.close();
});
