import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { AT_REST, audit } from '../audit.ts';
import { openStage, type Stage } from '../stage.ts';

/** Answers and stays silent: the call lasts until it is ended or the agent gives up. */
const SILENT = '+12025550108';
const RINGS = '+12025550102';
const QUICK = '+12025550105';

/** Without sound, and in real time: the test's steps take less time than the call. */
const REAL_TIME = { OUTDIAL_SIMULATED_MEDIA: 'off', OUTDIAL_SIMULATED_SPEED: '1' };

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterEach(() => stage.stopWorkers());
afterAll(() => stage.close());

test('a call that waits longer than its queue limit ends queue_expired without a charge', async () => {
  const callId = await stage.place(QUICK);
  await stage.database.side.$executeRaw`UPDATE calls SET expires_at = clock_timestamp() WHERE id = ${callId}::uuid`;
  await stage.startWorker();
  const call = await stage.untilEnded(callId);
  expect(call).toMatchObject({ endedReason: 'queue_expired', costMicros: 0n });
  expect(call.endedAtMs).toBe(call.startedAtMs);
  await expect.poll(() => audit(stage)).toEqual(AT_REST);
});

test('the first worker to start dials calls that were placed while none ran', async () => {
  const callIds = await Promise.all([QUICK, QUICK, QUICK].map((number) => stage.place(number)));
  await stage.startWorker({ OUTDIAL_SIMULATED_MEDIA: 'off' });
  for (const callId of callIds) expect((await stage.untilEnded(callId)).endedReason).toBe('callee_hangup');
});

test('a second worker shares the load without a change of settings', async () => {
  const environment = { ...REAL_TIME, OUTDIAL_WORKER_CONCURRENCY: '3' };
  await stage.startWorker(environment);
  await stage.startWorker(environment);
  const callIds = await Promise.all(Array.from({ length: 6 }, () => stage.place(SILENT)));
  for (const callId of callIds) await stage.until(callId, 'in_progress');
  const rows = await stage.database.side.$queryRaw<{ workerId: string; calls: number }[]>`
    SELECT worker_id AS "workerId", count(*)::int AS calls FROM calls WHERE status = 'in_progress' GROUP BY worker_id`;
  expect(rows.map((row) => row.calls)).toEqual([3, 3]);
  for (const callId of callIds) await stage.end(callId);
  for (const callId of callIds) expect((await stage.untilEnded(callId)).endedReason).toBe('hung_up_by_api');
  await expect.poll(() => audit(stage)).toEqual(AT_REST);
});

test('an end request of the API takes effect at once in every state', async () => {
  const queued = await stage.place(SILENT);
  await stage.end(queued);
  expect(await stage.untilEnded(queued)).toMatchObject({ endedReason: 'cancelled', costMicros: 0n });
  await stage.startWorker(REAL_TIME);
  for (const [number, status] of [
    [RINGS, 'ringing'],
    [SILENT, 'in_progress'],
  ] as const) {
    const callId = await stage.place(number);
    expect((await stage.until(callId, status)).status).toBe(status);
    const askedAtMs = performance.now();
    await stage.end(callId);
    const call = await stage.untilEnded(callId);
    expect(call.endedReason).toBe('hung_up_by_api');
    // Without the announcement the worker would see it at the next renewal, fifteen seconds later.
    expect(performance.now() - askedAtMs).toBeLessThan(10_000);
  }
  await expect.poll(() => audit(stage)).toEqual(AT_REST);
});

test('limits given with the call are enforced', async () => {
  await stage.startWorker(REAL_TIME);
  const tooLong = await stage.place(SILENT, { maxDurationSeconds: 5 });
  const unanswered = await stage.place(RINGS, { ringTimeoutSeconds: 5 });
  expect(await stage.untilEnded(tooLong)).toMatchObject({ endedReason: 'max_duration_reached', billableSeconds: 5 });
  expect((await stage.untilEnded(unanswered)).endedReason).toBe('no_answer');
});

test('a draining worker takes no call, and does not cut a live one short', async () => {
  const worker = await stage.startWorker({ OUTDIAL_DRAIN_SECONDS: '60', ...REAL_TIME });
  const live = await stage.place(SILENT, { maxDurationSeconds: 5 });
  await stage.until(live, 'in_progress');
  const stopped = worker.stop(new AbortController().signal);
  const later = await stage.place(QUICK);
  await stopped;
  expect((await stage.find(live)).status).toBe('ended');
  expect((await stage.untilEnded(live)).endedReason).toBe('max_duration_reached');
  expect((await stage.find(later)).status).toBe('queued');
  await stage.startWorker(REAL_TIME);
  expect((await stage.untilEnded(later)).endedReason).toBe('callee_hangup');
});

test('at the limit of its drain a worker hangs up and settles the remaining calls', async () => {
  const worker = await stage.startWorker({ OUTDIAL_DRAIN_SECONDS: '1', ...REAL_TIME });
  const callIds = [await stage.place(SILENT), await stage.place(SILENT)];
  for (const callId of callIds) await stage.until(callId, 'in_progress');
  await worker.stop(new AbortController().signal);
  for (const callId of callIds) {
    expect(await stage.find(callId)).toMatchObject({ status: 'ended', endedReason: 'worker_lost' });
  }
  await expect.poll(() => audit(stage)).toEqual(AT_REST);
});
