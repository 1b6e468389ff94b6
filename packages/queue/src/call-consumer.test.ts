import { once } from 'node:events';
import { CALL_QUEUE, type CallId } from '@outdial/contracts';
import { createLogger, systemClock } from '@outdial/kernel';
import { fakeClock, privateRedis, testStores, type TestStores } from '@outdial/testkit';
import { Queue } from 'bullmq';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createCallConsumer, type CallConsumer, type CallConsumerOptions } from './call-consumer.ts';
import { createCallQueue } from './call-queue.ts';
import { connectForWaiting } from './connect.ts';
import { createJobWorker, type JobOutcome, type JobWorker, type JobWorkerOptions } from './job-worker.ts';
import { DEFAULT_QUEUE_PREFIX } from './keys.ts';
import type { RedisClient } from './redis-client.ts';
import { STALLED_AFTER_MS } from './stall-detector.ts';
import { createRecorder, newCallId } from './testing/recorder.ts';

const logger = createLogger({ name: 'test', level: 'silent' });
const DONE: JobOutcome = { kind: 'done' };
let stores: TestStores;
let closers: (() => unknown)[];

beforeAll(async () => {
  stores = await testStores();
});
afterAll(() => stores.close());

beforeEach(async () => {
  closers = [];
  await connect().flushdb();
});
afterEach(async () => {
  for (const close of closers.toReversed()) await close();
});

function connect(url: string = stores.redisUrl): RedisClient {
  const redis = connectForWaiting(url);
  redis.on('error', () => undefined);
  closers.push(() => redis.disconnect());
  return redis;
}

function consume(options: Partial<CallConsumerOptions> & Pick<CallConsumerOptions, 'handle'>): CallConsumer {
  const consumer = createCallConsumer({ redis: connect(), logger, clock: systemClock, concurrency: 10, ...options });
  closers.push(() => consumer.close());
  consumer.start();
  return consumer;
}

const enqueue = (callIds: readonly CallId[], url?: string) =>
  createCallQueue({ redis: connect(url), logger }).add(callIds);

function jobs(url?: string): Queue {
  const queue = new Queue(CALL_QUEUE, { connection: connect(url), prefix: DEFAULT_QUEUE_PREFIX });
  closers.push(() => queue.close());
  return queue;
}

/** A handler that runs until the test releases it. */
function latch() {
  const entered = createRecorder<CallId>();
  const opened = new AbortController();
  const handle = async (callId: CallId): Promise<JobOutcome> => {
    entered.record(callId);
    if (!opened.signal.aborted) await once(opened.signal, 'abort');
    return DONE;
  };
  return { entered, open: () => opened.abort(), handle };
}

test('a queued call is handled once and leaves nothing behind', async () => {
  const handled = createRecorder<CallId>();
  const consumer = consume({ handle: async (callId) => (handled.record(callId), DONE) });
  const callIds = Array.from({ length: 50 }, newCallId);
  await enqueue(callIds);
  await handled.until(50);
  await consumer.stopTaking();
  await consumer.close();
  expect(handled.items.toSorted()).toEqual(callIds.toSorted());
  const queue = jobs();
  expect(await queue.getJobCounts()).toMatchObject({ waiting: 0, active: 0, delayed: 0, completed: 0, failed: 0 });
  expect(await queue.getJob(callIds[0] ?? '')).toBeUndefined();
});

test('a delayed call is delivered again after its delay', async () => {
  const handledAtMs = createRecorder<number>();
  consume({
    handle: async () => {
      handledAtMs.record(performance.now());
      return handledAtMs.items.length === 1 ? { kind: 'later', afterMs: 300 } : DONE;
    },
  });
  await enqueue([newCallId()]);
  const [first = 0, second = 0] = await handledAtMs.until(2);
  expect(second - first).toBeGreaterThanOrEqual(290);
});

test('a call whose handler threw is delivered again', async () => {
  const handled = createRecorder<CallId>();
  consume({
    handle: async (callId) => {
      handled.record(callId);
      if (handled.items.length === 1) throw new Error('a store is away');
      return DONE;
    },
  });
  const callId = newCallId();
  await enqueue([callId]);
  expect(await handled.until(2)).toEqual([callId, callId]);
});

test('a job without a call is dropped, and the next one is handled', async () => {
  const handled = createRecorder<CallId>();
  consume({ handle: async (callId) => (handled.record(callId), DONE) });
  await jobs().add('call', { call_id: 'nonsense' });
  const callId = newCallId();
  await enqueue([callId]);
  expect(await handled.until(1)).toEqual([callId]);
});

test('no more calls are handled at once than the configured concurrency', async () => {
  const latched = latch();
  const consumer = consume({ concurrency: 3, handle: latched.handle });
  await enqueue(Array.from({ length: 8 }, newCallId));
  await latched.entered.until(3);
  expect(await jobs().getActiveCount()).toBe(3);
  expect(consumer.handling()).toBe(3);
  latched.open();
  await latched.entered.until(8);
});

test('a stopped consumer finishes its calls and leaves the others to the next one', async () => {
  const latched = latch();
  const stopping = consume({ concurrency: 2, handle: latched.handle });
  await enqueue(Array.from({ length: 5 }, newCallId));
  await latched.entered.until(2);
  await stopping.stopTaking();
  const rest = createRecorder<CallId>();
  consume({ handle: async (callId) => (rest.record(callId), DONE) });
  await rest.until(3);
  expect(latched.entered.items).toHaveLength(2);
  expect(stopping.handling()).toBe(2);
  latched.open();
  await stopping.close();
  expect(new Set([...latched.entered.items, ...rest.items]).size).toBe(5);
});

test('a stopped consumer takes calls again once it is started, in the room that its calls leave', async () => {
  const latched = latch();
  const consumer = consume({ concurrency: 3, handle: latched.handle });
  await enqueue([newCallId()]);
  await latched.entered.until(1);
  await consumer.stopTaking();
  await enqueue(Array.from({ length: 4 }, newCallId));
  consumer.start();
  await latched.entered.until(3);
  expect(consumer.handling()).toBe(3);
  expect(await jobs().getActiveCount()).toBe(3);
  latched.open();
  await latched.entered.until(5);
});

test('a consumer that is started again while it has no room waits for a call to end', async () => {
  const clock = fakeClock();
  const latched = latch();
  const workers: JobWorker[] = [];
  const createWorker = (options: JobWorkerOptions) => {
    const worker = createJobWorker(options);
    workers.push(worker);
    return worker;
  };
  const consumer = consume({ clock, concurrency: 1, handle: latched.handle, createWorker });
  closers.push(() => latched.open());
  await enqueue([newCallId(), newCallId()]);
  await latched.entered.until(1);
  await consumer.stopTaking();
  consumer.start();
  expect(workers).toHaveLength(1);
  latched.open();
  const both = latched.entered.until(2);
  while (workers.length < 2) await clock.advance(STALLED_AFTER_MS / 10);
  await both;
});

test('a consumer that is stopped and started while Redis hangs has one check timer, and none once closed', async () => {
  const server = await privateRedis();
  closers.push(() => server.close());
  const clock = fakeClock();
  const redis = connect(server.url);
  const consumer = consume({ redis, clock, handle: async () => DONE });
  await redis.ping();
  await server.pause();
  await clock.advance(STALLED_AFTER_MS);
  await consumer.stopTaking();
  consumer.start();
  const answered = redis.ping();
  await server.resume();
  // Redis answers in the order of the questions: the first check has its answer by then.
  await answered;
  // Closing waits at most this long for the stopped BullMQ worker.
  await clock.advance(2_000);
  expect(clock.pendingTimers()).toBe(1);
  await consumer.stopTaking();
  expect(clock.pendingTimers()).toBe(0);
});

test('two consumers share the calls with no setting changed', async () => {
  const [left, right] = [latch(), latch()];
  consume({ concurrency: 4, handle: left.handle });
  consume({ concurrency: 4, handle: right.handle });
  await enqueue(Array.from({ length: 8 }, newCallId));
  await Promise.all([left.entered.until(4), right.entered.until(4)]);
  expect(new Set([...left.entered.items, ...right.entered.items]).size).toBe(8);
  left.open();
  right.open();
});

test('a stalled BullMQ worker is replaced, and its calls continue', async () => {
  const clock = fakeClock();
  const latched = latch();
  const workers: { stopTaking(): Promise<void> }[] = [];
  const consumer = consume({
    clock,
    concurrency: 2,
    handle: latched.handle,
    createWorker(options) {
      const worker = createJobWorker(options);
      workers.push(worker);
      return worker;
    },
  });
  await enqueue([newCallId()]);
  await latched.entered.until(1);
  // From here on the first worker takes nothing, like one whose fetch never returns.
  await workers[0]?.stopTaking();
  await enqueue([newCallId()]);
  const taken = latched.entered.until(2);
  while (workers.length < 2) await clock.advance(STALLED_AFTER_MS / 10);
  await taken;
  expect(consumer.handling()).toBe(2);
  latched.open();
});

test('after an outage of Redis calls are taken again', async () => {
  const server = await privateRedis();
  closers.push(() => server.close());
  const handled = createRecorder<CallId>();
  consume({ redis: connect(server.url), handle: async (callId) => (handled.record(callId), DONE) });
  await enqueue([newCallId()], server.url);
  await handled.until(1);
  await server.stop();
  await server.start();
  const callId = newCallId();
  await enqueue([callId], server.url);
  expect((await handled.until(2)).at(-1)).toBe(callId);
});
