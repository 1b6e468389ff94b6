import { describeCallQueue } from '@outdial/calls/testing';
import { CALL_QUEUE, tryIdSchema, type CallId } from '@outdial/contracts';
import { createLogger, systemClock, type RedisAccess } from '@outdial/kernel';
import { privateRedisCluster, privateRedisSentinels } from '@outdial/testkit';
import { Queue } from 'bullmq';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createCallConsumer } from './call-consumer.ts';
import { createCallQueue } from './call-queue.ts';
import { createCallSoundPublisher, createCallSoundSubscriptions } from './call-sound.ts';
import { checkRedis } from './check-redis.ts';
import { connectForCommands, connectForWaiting, connectPatiently } from './connect.ts';
import { createEndSignals, subscribeToEndSignals } from './end-signals.ts';
import { DEFAULT_QUEUE_PREFIX } from './keys.ts';
import { isRedisAway } from './redis-away.ts';
import { onConnectionLost, type RedisClient } from './redis-client.ts';
import { pingForWriting } from './redis-outages.ts';
import { createRecorder, newCallId } from './testing/recorder.ts';
import { createTryChannel } from './try-channel.ts';

const START_LIMIT_MS = 60_000;
const logger = createLogger({ name: 'test', level: 'silent' });

interface Group {
  readonly access: RedisAccess;
  /** Stops what answers now, and resolves once it is gone. */
  readonly killPrimary: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const GROUPS: readonly (readonly [string, () => Promise<Group>])[] = [
  [
    'a group with Sentinels',
    async () => {
      const group = await privateRedisSentinels();
      return {
        access: { url: group.url, sentinelPassword: group.sentinelPassword },
        killPrimary: async () => (await group.primary()).kill(),
        close: () => group.close(),
      };
    },
  ],
  [
    'a cluster',
    async () => {
      const group = await privateRedisCluster({ withReplicas: true });
      // The second one has the slot of the gate, and the third one that of the queue.
      return { access: group.url, killPrimary: async () => group.primaries[1]?.kill(), close: () => group.close() };
    },
  ],
];

/** BullMQ's own view of the queue, which is empty. */
async function emptied(redis: RedisClient): Promise<Queue> {
  const inside = new Queue(CALL_QUEUE, { connection: redis, prefix: DEFAULT_QUEUE_PREFIX });
  await inside.obliterate({ force: true });
  return inside;
}

async function reasonOf(access: RedisAccess): Promise<string> {
  const verdict = await checkRedis(access);
  return verdict.kind === 'unusable' ? verdict.reason : verdict.kind;
}

describe.each(GROUPS)('%s', (_, open) => {
  let group: Group;
  let closers: (() => unknown)[] = [];
  beforeAll(async () => {
    group = await open();
  }, START_LIMIT_MS);
  afterEach(async () => {
    for (const close of closers.toReversed()) await close();
    closers = [];
  });
  afterAll(() => group.close(), START_LIMIT_MS);

  async function ready(connect: (access: RedisAccess) => RedisClient): Promise<RedisClient> {
    const redis = connect(group.access);
    closers.push(() => redis.disconnect());
    redis.on('error', () => undefined);
    await new Promise<void>((resolve) => redis.once('ready', () => resolve()));
    return redis;
  }

  test('is usable', async () => {
    await expect.poll(() => checkRedis(group.access)).toEqual({ kind: 'usable' });
  });

  describeCallQueue('on it', async () => {
    const redis = await ready(connectPatiently);
    const queue = createCallQueue({ redis, logger });
    const inside = await emptied(redis);
    return {
      queue,
      delay: async (callId) => void (await inside.add('call', { call_id: callId }, { jobId: callId, delay: 60_000 })),
      async leaveFinished(callId) {
        await inside.add('call', { call_id: callId }, { jobId: callId });
        await redis.hset(inside.toKey(callId), 'finishedOn', String(Date.now()));
      },
      waiting: () => inside.getWaitingCount(),
      async close() {
        await queue.close();
        await inside.close();
      },
    };
  });

  test('a consumer takes the calls that a producer adds, and leaves none behind', async () => {
    const inside = await emptied(await ready(connectPatiently));
    // It stays paused by its emptying.
    await inside.resume();
    closers.push(() => inside.close());
    const handled = createRecorder<CallId>();
    const queue = createCallQueue({ redis: await ready(connectForCommands), logger });
    closers.push(() => queue.close());
    const consumer = createCallConsumer({
      redis: await ready(connectForWaiting),
      logger,
      clock: systemClock,
      concurrency: 10,
      handle: async (callId) => (handled.record(callId), { kind: 'done' }),
    });
    closers.push(() => consumer.close());
    consumer.start();
    const callIds = Array.from({ length: 20 }, newCallId);
    await queue.add(callIds);
    expect((await handled.until(20)).toSorted()).toEqual(callIds.toSorted());
    await expect.poll(() => queue.counts()).toEqual({ waiting: 0, delayed: 0, active: 0 });
  });

  test('announcements, sound and conversations in text arrive', async () => {
    const [sender, receiver] = [await ready(connectForCommands), await ready(connectForWaiting)];
    const ended = createRecorder<CallId>();
    await subscribeToEndSignals({ redis: receiver, logger, onEndRequested: (callId) => ended.record(callId) });
    const [callId] = [newCallId()];
    await createEndSignals({ redis: sender }).publish(callId);
    expect(await ended.until(1)).toEqual([callId]);

    const heard = createRecorder<Uint8Array>();
    createCallSoundSubscriptions({ redis: receiver }).follow(callId, (bytes) => heard.record(bytes));
    const publisher = createCallSoundPublisher({ redis: sender });
    await expect.poll(() => (publisher.publish(callId, Uint8Array.of(1, 255)), heard.items.length)).toBeGreaterThan(0);
    expect([...(heard.items[0] ?? [])]).toEqual([1, 255]);

    const channel = createTryChannel({ redis: sender });
    const tryId = tryIdSchema.parse(callId);
    expect(await channel.send(tryId, 'hello')).toBe(1);
    await channel.report(tryId, ['one', 'two']);
    expect((await channel.reportedAfter(tryId, '0')).map(({ text }) => text)).toEqual(['one', 'two']);
  });

  test(
    'when a primary is killed Redis is away, and every connection finds the new one by itself',
    async () => {
      const commands = await ready(connectForCommands);
      const others = [await ready(connectPatiently), await ready(connectForWaiting)];
      const ended = createRecorder<CallId>();
      const subscriber = await ready(connectForWaiting);
      await subscribeToEndSignals({ redis: subscriber, logger, onEndRequested: (callId) => ended.record(callId) });
      await pingForWriting(commands);
      const lost = new Promise<void>((resolve) => onConnectionLost(commands, resolve));
      await group.killPrimary();
      await lost;
      const errors: unknown[] = [];
      const answers = () =>
        pingForWriting(commands).then(
          () => true,
          (error: unknown) => (errors.push(error), false),
        );
      await expect.poll(answers, { timeout: START_LIMIT_MS, interval: 50 }).toBe(true);
      expect(errors.filter((error) => !isRedisAway(error))).toEqual([]);
      expect(errors.length).toBeGreaterThan(0);
      await Promise.all(others.map((redis) => pingForWriting(redis)));
      const callId = newCallId();
      const signals = createEndSignals({ redis: commands });
      // A subscription that is still being renewed misses an announcement, as any announcement may be.
      await expect
        .poll(() => signals.publish(callId).then(() => ended.items.length), { timeout: START_LIMIT_MS })
        .toBeGreaterThan(0);
    },
    START_LIMIT_MS,
  );
});

test(
  'a URL of the wrong kind, a wrong name and a wrong password are refused with what to write',
  async () => {
    const sentinels = await privateRedisSentinels();
    const cluster = await privateRedisCluster();
    const { url, sentinelPassword } = sentinels;
    const [node = { url: '' }] = sentinels.nodes;
    const [sentinel = { url: '' }] = sentinels.sentinels;
    const [member = { url: '' }] = cluster.primaries;
    const password = new URL(node.url).password;
    const cases: readonly (readonly [RedisAccess, string])[] = [
      [url, 'the Sentinels require a password: set OUTDIAL_SENTINEL_PASSWORD'],
      [{ url, sentinelPassword: 'wrong' }, 'the Sentinels reject'],
      [{ url: url.replace('/outdial', '/other'), sentinelPassword }, 'the Sentinels know no primary with this name'],
      [{ url: url.replace(password, 'wrong'), sentinelPassword }, 'Redis rejects this user or password'],
      [`redis+sentinel://127.0.0.1:${new URL(node.url).port}/outdial`, 'OUTDIAL_SENTINEL_PASSWORD'],
      [
        { url: `redis+sentinel://127.0.0.1:${new URL(node.url).port}/outdial`, sentinelPassword: password },
        'no Sentinels',
      ],
      [sentinel.url, 'this is a Sentinel'],
      [member.url, 'this Redis belongs to a cluster'],
      [node.url.replace('redis://', 'redis+cluster://'), 'this Redis belongs to no cluster'],
      [cluster.url.replace(new URL(member.url).password, 'wrong'), 'Redis rejects this user or password'],
    ];
    for (const [access, reason] of cases)
      await expect.poll(() => reasonOf(access), { timeout: 5_000 }).toContain(reason);
    await sentinels.close();
    await cluster.close();
  },
  START_LIMIT_MS,
);
