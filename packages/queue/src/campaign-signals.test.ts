import { testStores, type TestStores } from '@outdial/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCampaignSignals, subscribeToCampaignSignals } from './campaign-signals.ts';
import { connectForWaiting } from './connect.ts';
import { createRecorder, newCallId } from './testing/recorder.ts';

let stores: TestStores;
beforeAll(async () => {
  stores = await testStores();
});
afterAll(() => stores.close());

test('every worker hears of a change, and of several at once at most twice', async () => {
  const prefix = `{${newCallId()}}`;
  const publisher = connectForWaiting(stores.redisUrl);
  const workers = [connectForWaiting(stores.redisUrl), connectForWaiting(stores.redisUrl)];
  const heard = workers.map(() => createRecorder<string>());
  for (const [index, redis] of workers.entries())
    await subscribeToCampaignSignals({ redis, prefix, onChanged: () => heard[index]?.record('look') });
  await publisher.ping();
  const signals = createCampaignSignals({ redis: publisher, prefix });
  for (let change = 0; change < 100; change += 1) signals.publish();
  for (const recorder of heard) expect(await recorder.until(2)).toEqual(['look', 'look']);
  // Whatever else was announced would have come before.
  await publisher.publish(`${prefix}:other`, 'x');
  expect(heard.map(({ items }) => items.length)).toEqual([2, 2]);
  for (const redis of [publisher, ...workers]) redis.disconnect();
});
