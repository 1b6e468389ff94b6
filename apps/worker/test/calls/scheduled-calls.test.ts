import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openStage, type Stage } from '../stage.ts';

const QUIET = { OUTDIAL_SIMULATED_MEDIA: 'off' };

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterEach(() => stage.stopWorkers());
afterAll(() => stage.close());

const fromNow = (ms: number) => new Date(Date.now() + ms).toISOString();

test('a worker with the role `campaigns` alone admits a call at its time, and another worker dials it', async () => {
  const scheduledFor = fromNow(1_000);
  const callId = await stage.place('+12025550100', { maxDurationSeconds: 5, fields: { scheduled_for: scheduledFor } });
  expect(await stage.find(callId)).toMatchObject({ status: 'scheduled', waitingFor: 'time', holdMicros: 0n });
  await stage.startWorker({ OUTDIAL_WORKER_ROLES: 'campaigns' });
  const queued = await stage.until(callId, 'queued');
  expect(queued.status).toBe('queued');
  expect(queued.holdMicros).toBeGreaterThan(0n);
  expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(scheduledFor));
  await stage.startWorker({ ...QUIET, OUTDIAL_WORKER_ROLES: 'calls' });
  const ended = await stage.untilEnded(callId);
  expect(ended.answeredAtMs).not.toBeNull();
  expect((await stage.events(callId)).slice(0, 3)).toEqual(['scheduled', 'queued', 'dialing']);
});

test('scheduled calls lie in Postgres alone: one is dialed although Redis has lost everything', async () => {
  const callId = await stage.place('+12025550100', { maxDurationSeconds: 5, fields: { scheduled_for: fromNow(500) } });
  await stage.redis.flushdb();
  await stage.startWorker(QUIET);
  expect((await stage.untilEnded(callId)).answeredAtMs).not.toBeNull();
});

test('a scheduled call that no worker admits in time ends `schedule_expired`', async () => {
  const fields = { scheduled_for: fromNow(0), expires_at: fromNow(500) };
  const callId = await stage.place('+12025550100', { fields });
  await expect.poll(() => Date.now() > Date.parse(fields.expires_at)).toBe(true);
  await stage.startWorker({ OUTDIAL_WORKER_ROLES: 'campaigns' });
  expect((await stage.untilEnded(callId)).endedReason).toBe('schedule_expired');
});

test('a busy number is called again, by another call', async () => {
  const fields = { retry: { max_attempts: 2, on: ['busy'], after_seconds: [60] } };
  const callId = await stage.place('+12025550101', { fields });
  await stage.startWorker(QUIET);
  const first = await stage.untilEnded(callId);
  expect(first.endedReason).toBe('busy');
  const nextId = first.schedule?.nextCallId;
  if (!nextId) throw new Error('the call is followed by another one');
  const next = await stage.find(nextId);
  expect(next).toMatchObject({ status: 'scheduled', schedule: { attempt: 2, retryOf: callId } });
  expect(next.schedule?.scheduledForMs).toBe(first.endedAtMs + 60_000);
});
