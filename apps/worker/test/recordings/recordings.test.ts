import { access, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { CallId, RecordingStatus } from '@outdial/contracts';
import { invariant, parseEnv } from '@outdial/kernel';
import { openRecordings, recordingsEnv, s3SettingsOf, type Recordings } from '@outdial/recordings';
import { privateS3, type PrivateS3 } from '@outdial/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AT_REST, audit } from '../audit.ts';
import { killChildWorkers, startChildWorker } from '../child-worker.ts';
import { QUICK_LOOPS } from '../quick-timings.ts';
import { openStage, type Stage } from '../stage.ts';

const QUICK = '+12025550105';

/**
 * A guard against hanging: long enough for a lease to expire, and for the uptime that Postgres needs before a
 * take-over.
 */
const PATIENCE_MS = 180_000;

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterEach(async () => {
  killChildWorkers();
  await stage.stopWorkers();
});
afterAll(() => stage.close());

const keyOf = (callId: CallId) => `${callId.slice(-2)}/${callId}.wav`;
const pathOf = (callId: CallId) => join(stage.dataDir, 'recordings', keyOf(callId));
const pause = () => new Promise((resolve) => setTimeout(resolve, 50));

async function untilRecordingIs(callId: CallId, status: RecordingStatus): Promise<void> {
  for (;;) {
    const call = await stage.find(callId);
    if (call.status === 'ended' && call.recordingStatus === status) return;
    await pause();
  }
}

async function untilGoneHere(callId: CallId): Promise<void> {
  const isHere = () =>
    access(pathOf(callId)).then(
      () => true,
      () => false,
    );
  while (await isHere()) await pause();
}

async function endedDaysAgo(callId: CallId, days: number): Promise<void> {
  await stage.database.side.$executeRaw`
    UPDATE calls SET created_at = created_at - make_interval(days => ${days}::int),
      started_at = started_at - make_interval(days => ${days}::int),
      answered_at = answered_at - make_interval(days => ${days}::int),
      ended_at = ended_at - make_interval(days => ${days}::int) WHERE id = ${callId}::uuid`;
}

describe('in a bucket', { timeout: PATIENCE_MS }, () => {
  let server: PrivateS3;
  let bucket: Recordings;
  let environment: Record<string, string>;
  beforeEach(async () => {
    server = await privateS3();
    environment = {
      ...server.credentials,
      OUTDIAL_RECORDINGS: 's3',
      OUTDIAL_S3_ENDPOINT: server.url,
      OUTDIAL_S3_BUCKET: server.bucket,
      OUTDIAL_S3_FORCE_PATH_STYLE: '1',
    };
    // Workers in this process read their credentials from the usual place.
    Object.assign(process.env, server.credentials);
    const s3 = s3SettingsOf(parseEnv(recordingsEnv, environment));
    bucket = openRecordings({ directory: '/nowhere', s3, onError: () => undefined });
  });
  afterEach(async () => {
    await stage.stopWorkers();
    await bucket.close();
    await server.close();
  });

  /** The length by the WAV header, in seconds of sound. */
  async function secondsInBucket(callId: CallId): Promise<number> {
    const recording = await bucket.store.open(keyOf(callId));
    invariant(recording, 'the recording is in the bucket');
    const wav = await buffer(recording.read({ start: 0, end: recording.sizeBytes - 1 }));
    expect(wav.readUInt32LE(40)).toBe(wav.length - 44);
    return wav.readUInt32LE(40) / 32_000;
  }

  test('a recording is in the bucket once its call has ended, and nothing is left on the machine', async () => {
    await stage.startWorker(environment, QUICK_LOOPS);
    const callId = await stage.place(QUICK);
    expect(await stage.untilEnded(callId)).toMatchObject({ endedReason: 'callee_hangup' });
    await untilRecordingIs(callId, 'available');
    expect(await secondsInBucket(callId)).toBeGreaterThan(0);
    await untilGoneHere(callId);
    await expect.poll(() => audit(stage)).toEqual(AT_REST);
  });

  test('while the store is away calls continue and recordings are pending; they are uploaded once it is back', async () => {
    await stage.startWorker(environment, QUICK_LOOPS);
    await server.stop();
    const callIds = await Promise.all([stage.place(QUICK), stage.place(QUICK)]);
    for (const callId of callIds) {
      const call = await stage.untilEnded(callId);
      expect(call).toMatchObject({ endedReason: 'callee_hangup', recordingStatus: 'pending' });
    }
    await server.start();
    for (const callId of callIds) {
      await untilRecordingIs(callId, 'available');
      expect(await secondsInBucket(callId)).toBeGreaterThan(0);
    }
  });

  test('an expired recording is deleted and its call shows none; a younger one stays', async () => {
    await stage.startWorker(environment, QUICK_LOOPS);
    const [old, young] = await Promise.all([stage.place(QUICK), stage.place(QUICK)]);
    for (const callId of [old, young]) await untilRecordingIs(callId, 'available');
    await endedDaysAgo(old, 8);
    await stage.startWorker({ ...environment, OUTDIAL_RECORDING_RETENTION_DAYS: '7' }, QUICK_LOOPS);
    await untilRecordingIs(old, 'none');
    while ((await bucket.store.open(keyOf(old))) !== null) await pause();
    expect(await stage.find(young)).toMatchObject({ recordingStatus: 'available' });
    expect(await secondsInBucket(young)).toBeGreaterThan(0);
  });

  test.each([
    ['a missing bucket', { OUTDIAL_S3_BUCKET: 'nowhere' }, /has no bucket "nowhere": create it, or correct OUT/],
    ['rejected credentials', { AWS_ACCESS_KEY_ID: 'stranger' }, /rejects the credentials \(InvalidAccessKeyId\)/],
    ['no bucket', { OUTDIAL_S3_BUCKET: '' }, /^OUTDIAL_S3_BUCKET is not set: name the bucket/],
  ])('%s: a worker does not start, and reports why in one sentence', async (_, wrong, sentence) => {
    const child = startChildWorker(stage.environment({ ...environment, ...wrong }));
    const complaint = await child.complaint();
    const lines = complaint.split('\n').filter((line) => line.includes('OUTDIAL_S3') || line.includes('AWS_ACCESS'));
    expect(lines).toEqual([expect.stringMatching(sentence)]);
    expect(complaint).not.toContain('    at ');
    expect(await child.exited()).toBe(1);
  });
});

test('in a folder, an expired recording is deleted, and its call shows none', { timeout: PATIENCE_MS }, async () => {
  await stage.startWorker();
  const [old, young] = await Promise.all([stage.place(QUICK), stage.place(QUICK)]);
  for (const callId of [old, young]) {
    expect(await stage.untilEnded(callId)).toMatchObject({ recordingStatus: 'available' });
  }
  await endedDaysAgo(old, 8);
  await stage.startWorker({ OUTDIAL_RECORDING_RETENTION_DAYS: '7' }, QUICK_LOOPS);
  await untilRecordingIs(old, 'none');
  await untilGoneHere(old);
  expect(await stage.find(young)).toMatchObject({ recordingStatus: 'available' });
  expect((await stat(pathOf(young))).size).toBeGreaterThan(44);
});
