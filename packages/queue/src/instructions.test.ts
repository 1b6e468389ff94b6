import type { CallId } from '@outdial/contracts';
import { createLogger, systemClock } from '@outdial/kernel';
import { fakeClock, testStores, type TestStores } from '@outdial/testkit';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { connectForCommands, connectForWaiting } from './connect.ts';
import { createInstructionSender, subscribeToInstructions } from './instructions.ts';
import { instructionChannel } from './keys.ts';
import { isRedisAway } from './redis-away.ts';
import { newCallId } from './testing/recorder.ts';

const logger = createLogger({ name: 'test', level: 'silent' });
let stores: TestStores;
beforeAll(async () => {
  stores = await testStores();
});
afterAll(() => stores.close());

function connect(of: typeof connectForWaiting) {
  const redis = of(stores.redisUrl);
  onTestFinished(() => redis.disconnect());
  return redis;
}

/** A worker with one call. */
async function startWorker(prefix: string, own: CallId, taken: string[] = []) {
  await subscribeToInstructions({
    redis: connect(connectForWaiting),
    answers: connect(connectForWaiting),
    logger,
    prefix,
    onInstruction(callId, text) {
      if (callId !== own) return null;
      taken.push(text);
      return Promise.resolve(text === 'too late' ? 'not_talking' : 'taken');
    },
  });
  return taken;
}

const openSender = (prefix: string, clock = systemClock) =>
  createInstructionSender({ redis: connect(connectForWaiting), subscriber: connect(connectForWaiting), clock, prefix });

test('the worker of the call takes an instruction, and its answer reaches the sender; other workers are silent', async () => {
  const prefix = `{${newCallId()}}`;
  const [one, other] = [newCallId(), newCallId()];
  const [ofOne, ofOther] = [await startWorker(prefix, one), await startWorker(prefix, other)];
  const senders = [openSender(prefix), openSender(prefix)] as const;
  const answers = await Promise.all([
    senders[0].send(one, 'Offer Friday.'),
    senders[1].send(other, 'Be brief.'),
    senders[1].send(one, 'too late'),
  ]);
  expect(answers).toEqual(['taken', 'taken', 'not_talking']);
  expect([ofOne.toSorted(), ofOther]).toEqual([['Offer Friday.', 'too late'], ['Be brief.']]);
});

test('an instruction that no worker answers counts as not taken, and leaves no timer', async () => {
  const prefix = `{${newCallId()}}`;
  const own = newCallId();
  await startWorker(prefix, own);
  const clock = fakeClock();
  const sender = openSender(prefix, clock);
  expect(await sender.send(own, 'Be brief.')).toBe('taken');
  const sent = sender.send(newCallId(), 'Offer Friday.');
  await expect.poll(() => clock.pendingTimers()).toBe(1);
  await clock.advance(500);
  expect(await sent).toBeNull();
  expect(clock.pendingTimers()).toBe(0);
});

test('a message of another form reaches no call', async () => {
  const prefix = `{${newCallId()}}`;
  const callId = newCallId();
  const taken = await startWorker(prefix, callId);
  const redis = connect(connectForWaiting);
  for (const message of ['no JSON', '{}', JSON.stringify({ callId, text: 'x' })]) {
    await redis.publish(instructionChannel(prefix), message);
  }
  expect(await openSender(prefix).send(callId, 'Be brief.')).toBe('taken');
  expect(taken).toEqual(['Be brief.']);
});

test('without Redis the sender learns it at once', async () => {
  const redis = connectForCommands('redis://127.0.0.1:1');
  redis.on('error', () => undefined);
  onTestFinished(() => redis.disconnect());
  const sender = createInstructionSender({ redis, subscriber: connect(connectForWaiting), clock: systemClock });
  await expect(sender.send(newCallId(), 'Be brief.')).rejects.toThrow(/writeable|closed|ended/i);
});

test('a subscriber that waits for Redis does not keep the sender waiting', async () => {
  const subscriber = connectForWaiting('redis://127.0.0.1:1');
  subscriber.on('error', () => undefined);
  const clock = fakeClock();
  const sender = createInstructionSender({ redis: connect(connectForWaiting), subscriber, clock });
  const sent = sender.send(newCallId(), 'Be brief.').catch((error: unknown) => error);
  await clock.advance(500);
  expect(isRedisAway(await sent)).toBe(true);
  // What still waits then rejects without anyone who listens.
  subscriber.disconnect();
});
