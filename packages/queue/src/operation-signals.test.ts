import { createLogger } from '@outdial/kernel';
import { testStores, type TestStores } from '@outdial/testkit';
import type { CallId } from '@outdial/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectForWaiting } from './connect.ts';
import { createEndSignals, subscribeToEndSignals } from './end-signals.ts';
import { createOperationSignals, subscribeToOperationSignals } from './operation-signals.ts';
import { createRecorder, newCallId } from './testing/recorder.ts';

let stores: TestStores;
beforeAll(async () => {
  stores = await testStores();
});
afterAll(() => stores.close());

test('over one connection each subscriber receives its own channel, and nothing else', async () => {
  const prefix = `{${newCallId()}}`;
  const [publisher, redis] = [connectForWaiting(stores.redisUrl), connectForWaiting(stores.redisUrl)];
  const warnings: string[] = [];
  const logger = createLogger({ name: 'test', level: 'warn', destination: { write: (line) => warnings.push(line) } });
  const [looks, ends] = [createRecorder<string>(), createRecorder<CallId>()];
  await subscribeToEndSignals({ redis, logger, prefix, onEndRequested: (callId) => ends.record(callId) });
  await subscribeToOperationSignals({ redis, prefix, onChanged: () => looks.record('look') });
  const callId = newCallId();
  await createOperationSignals({ redis: publisher, prefix }).publish();
  await createEndSignals({ redis: publisher, prefix }).publish(callId);
  expect(await ends.until(1)).toEqual([callId]);
  expect(looks.items).toEqual(['look']);
  expect(warnings).toEqual([]);
  for (const connection of [publisher, redis]) connection.disconnect();
});
