import { randomUUID } from 'node:crypto';
import { tryEventSchema, tryIdSchema, type TryEvent, type TryId } from '@outdial/contracts';
import { systemClock } from '@outdial/kernel';
import { connectForCommands, createTryChannel, type TryChannel, type RedisClient } from '@outdial/queue';
import { privateRedis, type PrivateServer } from '@outdial/testkit';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EventReporter } from '../../src/tries/event-reporter.ts';

let server: PrivateServer;
let redis: RedisClient;
let channel: TryChannel;
let tryId: TryId;
beforeEach(async () => {
  server = await privateRedis({ profile: 'durable' });
  redis = connectForCommands(server.url);
  redis.on('error', () => undefined);
  channel = createTryChannel({ redis });
  tryId = tryIdSchema.parse(randomUUID());
});
afterEach(async () => {
  redis.disconnect();
  await server.close();
});

const heard = (text: string): TryEvent => ({ type: 'callee_text', text });
const ENDED: TryEvent = { type: 'ended', reason: 'agent_hangup', cost: 0 };

const arrived = async (): Promise<readonly TryEvent[]> =>
  (await channel.reportedAfter(tryId, '0')).map(({ text }) => tryEventSchema.parse(JSON.parse(text)));
const arrivedNow = () => arrived().catch(() => []);

test('what happens while Redis is away arrives in order once it is back', async () => {
  const reporter = new EventReporter({ channel, tryId, clock: systemClock });
  reporter.report(heard('before'));
  await expect.poll(arrivedNow).toEqual([heard('before')]);
  const refused = new Promise((resolve) => redis.once('close', resolve));
  await server.stop();
  await refused;
  reporter.report(heard('meanwhile'));
  reporter.report(heard('and then'));
  await server.start();
  await expect.poll(arrivedNow, { timeout: 30_000 }).toEqual(['before', 'meanwhile', 'and then'].map(heard));
  reporter.report(ENDED);
  await reporter.flush();
  expect(await arrived()).toEqual([...['before', 'meanwhile', 'and then'].map(heard), ENDED]);
});

test('events whose answer is lost arrive once', async () => {
  let lost = 0;
  const report: TryChannel['report'] = async (...sent) => {
    const id = await channel.report(...sent);
    if ((lost += 1) === 1) throw new Error('the connection broke');
    return id;
  };
  const reporter = new EventReporter({ channel: { ...channel, report }, tryId, clock: systemClock });
  reporter.report(heard('one'));
  reporter.report(heard('two'));
  await expect.poll(() => lost).toBe(1);
  reporter.report(heard('three'));
  await reporter.flush();
  expect(await arrived()).toEqual(['one', 'two', 'three'].map(heard));
});

test('what waits is bounded, and keeps its beginning', async () => {
  let isAway = true;
  const report: TryChannel['report'] = (...sent) =>
    isAway ? Promise.reject(new Error('away')) : channel.report(...sent);
  const reporter = new EventReporter({ channel: { ...channel, report }, tryId, clock: systemClock });
  const texts = Array.from({ length: 300 }, (_, index) => `${index} ${'word '.repeat(2_000)}`);
  for (const text of texts) reporter.report(heard(text));
  isAway = false;
  await reporter.flush();
  const kept = await arrived();
  expect(JSON.stringify(kept).length).toBeLessThan(1_100_000);
  expect(kept.length).toBeGreaterThan(90);
  expect(kept).toEqual(texts.slice(0, kept.length).map(heard));
});
