import { access, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { CallId } from '@outdial/contracts';
import { invariant, parseEnv } from '@outdial/kernel';
import { openRecordings, recordingsEnv, s3SettingsOf } from '@outdial/recordings';
import { privateS3 } from '@outdial/testkit';
import { afterEach, expect, test } from 'vitest';
import { AT_REST, audit } from '../audit.ts';
import { killChildWorkers, startChildWorker } from '../child-worker.ts';
import { QUICK_LEASES } from '../quick-timings.ts';
import { openStage } from '../stage.ts';

const TALKS = '+12025550100';
const SILENT = '+12025550108';

/**
 * A guard against hanging: long enough for a lease to expire, and for the uptime that Postgres needs before a
 * take-over.
 */
const PATIENCE_MS = 180_000;

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  killChildWorkers();
  for (const close of closing.splice(0).toReversed()) await close();
});

const keyOf = (callId: CallId) => `${callId.slice(-2)}/${callId}.wav`;

async function openOwnStage() {
  const stage = await openStage();
  closing.push(() => stage.close());
  return stage;
}

/** A bucket, and the environment of workers that store in it. */
async function openBucket() {
  const server = await privateS3();
  closing.push(() => server.close());
  const environment = {
    ...server.credentials,
    OUTDIAL_RECORDINGS: 's3',
    OUTDIAL_S3_ENDPOINT: server.url,
    OUTDIAL_S3_BUCKET: server.bucket,
    OUTDIAL_S3_FORCE_PATH_STYLE: '1',
  };
  // The reader in this process finds its credentials in the usual place.
  Object.assign(process.env, server.credentials);
  const s3 = s3SettingsOf(parseEnv(recordingsEnv, environment));
  const bucket = openRecordings({ directory: '/nowhere', s3, onError: () => undefined });
  closing.push(() => bucket.close());
  return { environment, bucket, server };
}

const sizeOf = (path: string) =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );
const isHere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

test(
  'the recording of a killed worker is repaired and uploaded by the next worker on the machine',
  { timeout: PATIENCE_MS },
  async () => {
    const stage = await openOwnStage();
    const { environment, bucket } = await openBucket();
    const life = stage.environment({ ...environment, OUTDIAL_SIMULATED_SPEED: '1' });
    const doomed = startChildWorker(life, QUICK_LEASES);
    const callId = await stage.place(SILENT);
    const path = join(stage.dataDir, 'recordings', keyOf(callId));
    await expect.poll(() => sizeOf(path)).toBeGreaterThan(50_000);
    doomed.signal('SIGKILL');
    await doomed.exited();
    await stage.database.side.$executeRaw`
    UPDATE calls SET lease_expires_at = clock_timestamp() WHERE id = ${callId}::uuid`;
    startChildWorker(life, QUICK_LEASES);
    expect(await stage.untilEnded(callId)).toMatchObject({ endedReason: 'worker_lost' });
    await expect.poll(() => stage.find(callId)).toMatchObject({ recordingStatus: 'available' });
    const recording = await bucket.store.open(keyOf(callId));
    invariant(recording, 'the recording is in the bucket');
    const wav = await buffer(recording.read({ start: 0, end: recording.sizeBytes - 1 }));
    // The length that the header states is that of the sound.
    expect(wav.readUInt32LE(40)).toBe(wav.length - 44);
    expect(wav.length).toBeGreaterThan(44);
    await expect.poll(() => isHere(path)).toBe(false);
  },
);

test(
  'a worker that stops uploads for OUTDIAL_UPLOAD_SECONDS at most, and keeps what is left',
  { timeout: PATIENCE_MS },
  async () => {
    const stage = await openOwnStage();
    const { environment, server } = await openBucket();
    const child = startChildWorker(stage.environment({ ...environment, OUTDIAL_UPLOAD_SECONDS: '2' }), QUICK_LEASES);
    await child.said('taking calls');
    // It hangs: requests are accepted, and never answered.
    server.answerWith(() => undefined);
    const callId = await stage.place(TALKS);
    expect(await stage.untilEnded(callId)).toMatchObject({ recordingStatus: 'pending' });
    const stoppedMs = performance.now();
    child.signal('SIGTERM');
    expect(await child.exited()).toBe(0);
    const tookMs = performance.now() - stoppedMs;
    expect(tookMs).toBeGreaterThan(2_000);
    // The limit, and the ten seconds in which everything else ends.
    expect(tookMs).toBeLessThan(12_000);
    expect(await isHere(join(stage.dataDir, 'recordings', keyOf(callId)))).toBe(true);
  },
);

test(
  'a disk that rejects writes affects no call, and one line raises the alarm',
  { timeout: PATIENCE_MS },
  async () => {
    const unusable = await openOwnStage();
    // No user can create anything below a file.
    await writeFile(join(unusable.dataDir, 'recordings'), '');
    const child = startChildWorker(unusable.environment({ OUTDIAL_SIMULATED_SPEED: '5' }));
    const callIds = await Promise.all([TALKS, TALKS, TALKS].map((number) => unusable.place(number)));
    for (const callId of callIds) {
      const call = await unusable.untilEnded(callId);
      expect(call).toMatchObject({ endedReason: 'agent_hangup', answeredBy: 'human', recordingStatus: 'none' });
      expect(call.transcript).not.toBeNull();
    }
    child.signal('SIGTERM');
    expect(await child.exited()).toBe(0);
    expect(child.callsOf('a recording failed; its call continues without it')).toHaveLength(1);
    expect(await audit(unusable)).toEqual(AT_REST);
  },
);
