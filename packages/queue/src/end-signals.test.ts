import { createLogger } from '@outdial/kernel';
import { testStores, type TestStores } from '@outdial/testkit';
import type { CallId } from '@outdial/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectForWaiting } from './connect.ts';
import { createEndSignals, subscribeToEndSignals } from './end-signals.ts';
import { endChannel } from './keys.ts';
import { createRecorder, newCallId } from './testing/recorder.ts';

const logger = createLogger({ name: 'test', level: 'silent' });
let stores: TestStores;
beforeAll(async () => {
  stores = await testStores();
});
afterAll(() => stores.close());

test('every subscriber receives the call that must end, and only call ids', async () => {
  const prefix = `{${newCallId()}}`;
  const publisher = connectForWaiting(stores.redisUrl);
  const subscribers = [connectForWaiting(stores.redisUrl), connectForWaiting(stores.redisUrl)];
  const heard = createRecorder<CallId>();
  for (const redis of subscribers)
    await subscribeToEndSignals({ redis, logger, prefix, onEndRequested: (callId) => heard.record(callId) });
  const callId = newCallId();
  await publisher.publish(endChannel(prefix), 'no call id');
  await createEndSignals({ redis: publisher, prefix }).publish(callId);
  expect(await heard.until(2)).toEqual([callId, callId]);
  for (const redis of [publisher, ...subscribers]) redis.disconnect();
});
