import { once } from 'node:events';
import { testStores, type TestStores } from '@outdial/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCallSoundPublisher, createCallSoundSubscriptions } from './call-sound.ts';
import { connectForCommands, connectForWaiting } from './connect.ts';
import type { RedisClient } from './redis-client.ts';
import { createRecorder, newCallId } from './testing/recorder.ts';

let stores: TestStores;
const connections: RedisClient[] = [];
beforeAll(async () => {
  stores = await testStores();
});
afterAll(async () => {
  for (const redis of connections) redis.disconnect();
  await stores.close();
});

async function setUp() {
  const [sender, receiver] = [connectForCommands(stores.redisUrl), connectForWaiting(stores.redisUrl)];
  connections.push(sender, receiver);
  sender.on('error', () => undefined);
  await Promise.all([once(sender, 'ready'), once(receiver, 'ready')]);
  const prefix = `{${newCallId()}}`;
  return {
    sender,
    receiver,
    publisher: createCallSoundPublisher({ redis: sender, prefix }),
    subscriptions: createCallSoundSubscriptions({ redis: receiver, prefix }),
    subscribers: async (callId: string) => {
      const [, count] = await sender.pubsub('NUMSUB', `${prefix}:sound:${callId}`);
      return Number(count);
    },
  };
}

test('the followers of a call receive its bytes, over one subscription that ends with the last of them', async () => {
  const { publisher, subscriptions, subscribers } = await setUp();
  const [callId, other] = [newCallId(), newCallId()];
  const [one, two] = [createRecorder<Uint8Array>(), createRecorder<Uint8Array>()];
  const leave = [one, two].map((recorder) => subscriptions.follow(callId, (bytes) => recorder.record(bytes)));
  await expect.poll(() => subscribers(callId)).toBe(1);
  const bytes = Uint8Array.from({ length: 256 }, (_, code) => code);
  expect([publisher.publish(other, bytes), publisher.publish(callId, bytes)]).toEqual([true, true]);
  for (const recorder of [one, two]) expect((await recorder.until(1)).map((heard) => [...heard])).toEqual([[...bytes]]);
  leave[0]?.();
  leave[0]?.();
  expect(await subscribers(callId)).toBe(1);
  leave[1]?.();
  await expect.poll(() => subscribers(callId)).toBe(0);
});

test('a Redis that hangs costs one call its sound, a bound of messages, and no other call its place', async () => {
  const { publisher, sender } = await setUp();
  const [loud, quiet] = [newCallId(), newCallId()];
  const bytes = new Uint8Array(1_605);
  // Nothing is answered before this turn of the event loop is over.
  const taken = Array.from({ length: 1_000 }, () => publisher.publish(loud, bytes));
  expect(taken.filter(Boolean)).toHaveLength(5);
  expect(publisher.publish(quiet, bytes)).toBe(true);
  await expect.poll(() => publisher.publish(loud, bytes)).toBe(true);
  sender.disconnect();
  await once(sender, 'close');
  expect(publisher.publish(quiet, bytes)).toBe(false);
});
