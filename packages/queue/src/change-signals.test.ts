import { createLogger } from '@outdial/kernel';
import { privateRedis, testStores, type TestStores } from '@outdial/testkit';
import type { CallId } from '@outdial/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createChangeSignals, subscribeToChangeSignals } from './change-signals.ts';
import { connectForWaiting, connectPatiently } from './connect.ts';
import { changeChannel } from './keys.ts';
import { createRecorder, newCallId } from './testing/recorder.ts';

const logger = createLogger({ name: 'test', level: 'silent' });
let stores: TestStores;
beforeAll(async () => {
  stores = await testStores();
});
afterAll(() => stores.close());

test('every subscriber receives each changed call, and only call ids', async () => {
  const prefix = `{${newCallId()}}`;
  const publisher = connectForWaiting(stores.redisUrl);
  const subscribers = [connectForWaiting(stores.redisUrl), connectForWaiting(stores.redisUrl)];
  const heard = subscribers.map(() => createRecorder<CallId>());
  for (const [index, redis] of subscribers.entries())
    await subscribeToChangeSignals({ redis, logger, prefix, onChanged: (callId) => heard[index]?.record(callId) });
  const callIds = Array.from({ length: 2_500 }, newCallId);
  await publisher.publish(changeChannel(prefix), 'no call id');
  const signals = createChangeSignals({ redis: publisher, prefix });
  signals.publish(callIds);
  for (const recorder of heard) expect(await recorder.until(callIds.length)).toEqual(callIds);
  for (const redis of [publisher, ...subscribers]) redis.disconnect();
});

test('a subscriber that wants some calls receives no others', async () => {
  const prefix = `{${newCallId()}}`;
  const [publisher, redis] = [connectForWaiting(stores.redisUrl), connectForWaiting(stores.redisUrl)];
  const [wanted, other] = [newCallId(), newCallId()];
  const heard = createRecorder<CallId>();
  const isWanted = (id: string) => id === wanted;
  await subscribeToChangeSignals({ redis, logger, prefix, isWanted, onChanged: (callId) => heard.record(callId) });
  const signals = createChangeSignals({ redis: publisher, prefix });
  signals.publish([other]);
  signals.publish([wanted]);
  expect(await heard.until(1)).toEqual([wanted]);
  for (const connection of [publisher, redis]) connection.disconnect();
});

test('the changes of one tick are announced in one command, each call once', async () => {
  const prefix = `{${newCallId()}}`;
  const [publisher, subscriber] = [connectForWaiting(stores.redisUrl), connectForWaiting(stores.redisUrl)];
  const messages = createRecorder<string>();
  subscriber.on('message', (_channel, message) => messages.record(message));
  await Promise.all([publisher.ping(), subscriber.subscribe(changeChannel(prefix))]);
  const signals = createChangeSignals({ redis: publisher, prefix });
  const callIds = [newCallId(), newCallId()];
  for (const callId of [...callIds, ...callIds]) signals.publish([callId]);
  expect(await messages.until(1)).toEqual([callIds.join(' ')]);
  for (const redis of [publisher, subscriber]) redis.disconnect();
});

test('changes during an outage of Redis are dropped; later changes are received', async () => {
  const server = await privateRedis();
  const [publisher, subscriber] = [connectPatiently(server.url), connectForWaiting(server.url)];
  // ioredis emits an error for each failed reconnect.
  for (const redis of [publisher, subscriber]) redis.on('error', () => undefined);
  const heard = createRecorder<CallId>();
  await publisher.ping();
  await subscribeToChangeSignals({ redis: subscriber, logger, onChanged: (callId) => heard.record(callId) });
  const signals = createChangeSignals({ redis: publisher });
  const lost = new Promise((resolve) => publisher.once('close', resolve));
  await server.kill();
  await lost;
  signals.publish([newCallId()]);
  await new Promise((resolve) => setImmediate(resolve));
  await server.start();
  await expect.poll(async () => (await publisher.pubsub('NUMSUB', changeChannel('{outdial-queue}')))[1]).toBe(1);
  const later = newCallId();
  signals.publish([later]);
  expect(await heard.until(1)).toEqual([later]);
  for (const redis of [publisher, subscriber]) redis.disconnect();
  await server.close();
});
