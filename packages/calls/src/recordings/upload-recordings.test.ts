import { callIdSchema, type CallId } from '@outdial/contracts';
import { beforeEach, expect, test } from 'vitest';
import { RecordingWorld } from '../../test/recording-world.ts';
import { uploadRecordings } from './upload-recordings.ts';

const callIdOf = (number: number): CallId =>
  callIdSchema.parse(`0195a000-0000-7000-8000-${String(number).padStart(12, '0')}`);
const [first, second, third] = [callIdOf(1), callIdOf(2), callIdOf(3)];

let world: RecordingWorld;
beforeEach(() => {
  world = new RecordingWorld();
});

function upload(stopping: AbortSignal = new AbortController().signal): Promise<number> {
  const recordings = { keyOf: (callId: CallId) => `${callId}.wav` };
  return uploadRecordings({ outbox: world.outbox, recordings, recordedCalls: world, workerId: 'worker-1' }, stopping);
}

test('a local recording is removed only once it is in the store and its call says so', async () => {
  world.recorded(first);
  expect(await upload()).toBe(1);
  expect(world.log).toEqual([`upload ${first}`, `stored ${first} as ${first}.wav`, `discard ${first}`]);
});

test('the recording of a call in progress is left alone', async () => {
  world.recorded(first, null);
  world.recorded(second);
  await upload();
  expect([...world.local]).toEqual([first]);
});

test('a recording without audio is never uploaded, and its call says none', async () => {
  world.recorded(first, { isRecorded: false });
  world.recorded(second);
  world.outcomeOf = async () => 'unplayable';
  expect(await upload()).toBe(0);
  expect(world.log.filter((line) => line.includes(first))).toEqual([`missing ${first}`, `discard ${first}`]);
  expect(world.log.filter((line) => line.includes(second))).toEqual([
    `upload ${second}`,
    `missing ${second}`,
    `discard ${second}`,
  ]);
});

test('a recording that another worker of the machine uploaded is left to that worker', async () => {
  world.recorded(first);
  world.outcomeOf = async () => 'gone';
  expect(await upload()).toBe(0);
  expect(world.log).toEqual([`upload ${first}`]);
});

test('a failed recording is kept and does not delay the others; the next round retries it', async () => {
  for (const callId of [first, second, third]) world.recorded(callId);
  const refused = new Error('refused');
  world.outcomeOf = async (callId) => {
    if (callId === second) throw refused;
    return 'stored';
  };
  await expect(upload()).rejects.toBe(refused);
  expect([...world.local]).toEqual([second]);
  world.outcomeOf = async () => 'stored';
  expect(await upload()).toBe(1);
  expect(world.local.size).toBe(0);
});

test('with Postgres away no local recording is removed', async () => {
  world.recorded(first);
  world.failing = 'markStored';
  await expect(upload()).rejects.toThrow('Postgres is away');
  expect([...world.local]).toEqual([first]);
  world.failing = null;
  expect(await upload()).toBe(1);
});

test('with the store away a round ends before it has tried all recordings', async () => {
  world.batchSize = 50;
  for (let number = 0; number < 200; number += 1) world.recorded(callIdOf(number));
  world.outcomeOf = () => Promise.reject(new Error('the store is away'));
  await expect(upload()).rejects.toThrow('away');
  // Eight failures, and what the other lanes had begun by then.
  expect(world.log.length).toBeLessThanOrEqual(12);
  expect(world.local.size).toBe(200);
});

test('at most four recordings are uploaded at once', async () => {
  world.batchSize = 100;
  for (let number = 0; number < 30; number += 1) world.recorded(callIdOf(number));
  let [underWay, most] = [0, 0];
  world.outcomeOf = async () => {
    underWay += 1;
    most = Math.max(most, underWay);
    await new Promise((resolve) => setImmediate(resolve));
    underWay -= 1;
    return 'stored';
  };
  expect(await upload()).toBe(30);
  expect(most).toBe(4);
});

test('a stopping worker begins no other upload, and an aborted one is no failure', async () => {
  for (const callId of [first, second, third]) world.recorded(callId);
  world.batchSize = 1;
  const stopping = new AbortController();
  world.outcomeOf = () => {
    stopping.abort();
    return Promise.reject(new Error('aborted'));
  };
  expect(await upload(stopping.signal)).toBe(0);
  expect(world.log).toEqual([`upload ${first}`]);
  expect(world.local.size).toBe(3);
});
