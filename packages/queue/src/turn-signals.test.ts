import type { CallId, LiveTurn } from '@outdial/contracts';
import { createLogger } from '@outdial/kernel';
import { testStores, type TestStores } from '@outdial/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createChangeSignals, subscribeToChangeSignals } from './change-signals.ts';
import { connectForWaiting } from './connect.ts';
import { turnChannel } from './keys.ts';
import { createRecorder, newCallId } from './testing/recorder.ts';
import { createTurnSignals, subscribeToTurnSignals } from './turn-signals.ts';

const logger = createLogger({ name: 'test', level: 'silent' });
let stores: TestStores;
beforeAll(async () => {
  stores = await testStores();
});
afterAll(() => stores.close());

const turnOf = (index: number): LiveTurn => ({
  index,
  replaces: [],
  role: 'callee',
  text: 'Ja, “so” 😀\n',
  start_ms: 0,
  end_ms: 900,
  source: 'stt',
  interrupted: false,
});

test('a subscriber receives the turns of the calls that it wants, and no others', async () => {
  const prefix = `{${newCallId()}}`;
  const [publisher, redis] = [connectForWaiting(stores.redisUrl), connectForWaiting(stores.redisUrl)];
  const [wanted, other] = [newCallId(), newCallId()];
  const heard = createRecorder<[CallId, readonly LiveTurn[]]>();
  const isWanted = (id: string) => id === wanted;
  const onTurns = (callId: CallId, turns: readonly LiveTurn[]) => heard.record([callId, turns]);
  await subscribeToTurnSignals({ redis, logger, prefix, isWanted, onTurns });
  await publisher.ping();
  const signals = createTurnSignals({ redis: publisher, prefix });
  signals.publish(other, [turnOf(0)]);
  for (const text of [wanted, `${wanted}[]`, `${wanted}[{"index":-1}]`, 'no call']) {
    await publisher.publish(turnChannel(prefix), text);
  }
  signals.publish(wanted, [turnOf(0), turnOf(1)]);
  expect(await heard.until(1)).toEqual([[wanted, [turnOf(0), turnOf(1)]]]);
  for (const connection of [publisher, redis]) connection.disconnect();
});

test('one connection carries both what changed and what was said', async () => {
  const prefix = `{${newCallId()}}`;
  const [publisher, redis] = [connectForWaiting(stores.redisUrl), connectForWaiting(stores.redisUrl)];
  const callId = newCallId();
  const [changed, said] = [createRecorder<CallId>(), createRecorder<CallId>()];
  await subscribeToChangeSignals({ redis, logger, prefix, onChanged: (id) => changed.record(id) });
  await subscribeToTurnSignals({ redis, logger, prefix, isWanted: () => true, onTurns: (id) => said.record(id) });
  await publisher.ping();
  createTurnSignals({ redis: publisher, prefix }).publish(callId, [turnOf(0)]);
  expect(await said.until(1)).toEqual([callId]);
  createChangeSignals({ redis: publisher, prefix }).publish([callId]);
  expect(await changed.until(1)).toEqual([callId]);
  for (const connection of [publisher, redis]) connection.disconnect();
});
