import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { CallId } from '@outdial/contracts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { AT_REST, audit } from '../audit.ts';
import { killChildWorkers, startChildWorker } from '../child-worker.ts';
import { QUICK_LEASES } from '../quick-timings.ts';
import { openStage, type Stage } from '../stage.ts';

const SILENT = '+12025550108';
const RINGS = '+12025550102';
const QUICK = '+12025550105';

/**
 * A lease and a sweep, the uptime that Postgres needs before a take-over, and processes that start on a busy machine.
 */
const LIMIT_MS = 300_000;

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterEach(killChildWorkers);
afterAll(() => stage.close());

/** Resolves once part of the call's sound is on the disk. */
async function untilRecording(callId: CallId): Promise<void> {
  const path = join(stage.dataDir, 'recordings', callId.slice(-2), `${callId}.wav`);
  const sizeOf = () =>
    stat(path).then(
      ({ size }) => size,
      () => 0,
    );
  while ((await sizeOf()) < 1_000) await new Promise((resolve) => setTimeout(resolve, 50));
}

test(
  'a worker is killed while calls ring, talk and wait: live calls end worker_lost, the next worker dials waiting ones, none twice',
  { timeout: LIMIT_MS },
  async () => {
    const environment = stage.environment({ OUTDIAL_SIMULATED_SPEED: '1', OUTDIAL_WORKER_CONCURRENCY: '2' });
    const doomed = startChildWorker(environment, QUICK_LEASES);
    await doomed.said('taking calls');
    const ringing = await stage.place(RINGS, { ringTimeoutSeconds: 120 });
    const talking = await stage.place(SILENT);
    await stage.until(ringing, 'ringing');
    await stage.until(talking, 'in_progress');
    // There is no free slot for it: it waits in the queue while the worker dies.
    const waiting = await stage.place(QUICK);
    await untilRecording(talking);
    doomed.signal('SIGKILL');
    await doomed.exited();
    const killedAtMs = Date.now();

    const next = startChildWorker(environment, QUICK_LEASES);
    const dialledLater = await stage.untilEnded(waiting);
    expect(dialledLater.endedReason).toBe('callee_hangup');
    const lostRinging = await stage.untilEnded(ringing);
    const lostTalking = await stage.untilEnded(talking);
    expect(lostRinging).toMatchObject({
      endedReason: 'worker_lost',
      answeredAtMs: null,
      sipCode: null,
      costMicros: 0n,
    });
    expect(lostTalking).toMatchObject({ endedReason: 'worker_lost', sipCode: 200, recordingStatus: 'available' });
    // Billed to the last renewal of its lease: the initial increment at least, and nothing after the crash.
    const { billableSeconds, answeredAtMs, costMicros } = lostTalking;
    expect(billableSeconds).toBeGreaterThanOrEqual(1);
    expect(billableSeconds).toBeLessThanOrEqual(Math.ceil((killedAtMs - Number(answeredAtMs)) / 1_000));
    expect(costMicros).toBe(1_000n + 200n * BigInt(billableSeconds ?? 0));
    expect([...doomed.callsOf('call dialing'), ...next.callsOf('call dialing')].toSorted()).toEqual(
      [ringing, talking, waiting].toSorted(),
    );
    next.signal('SIGTERM');
    expect(await next.exited()).toBe(0);
    await expect.poll(() => audit(stage)).toEqual(AT_REST);
  },
);

test('a second signal hangs up at once, and every call is settled before the process ends', async () => {
  const child = startChildWorker(stage.environment({ OUTDIAL_SIMULATED_SPEED: '1', OUTDIAL_DRAIN_SECONDS: '600' }));
  await child.said('taking calls');
  const callId = await stage.place(SILENT);
  await stage.until(callId, 'in_progress');
  child.signal('SIGTERM');
  await child.said('draining');
  expect((await stage.find(callId)).status).toBe('in_progress');
  child.signal('SIGINT');
  expect(await child.exited()).toBe(0);
  expect(await stage.find(callId)).toMatchObject({ status: 'ended', endedReason: 'worker_lost' });
  await expect.poll(() => audit(stage)).toEqual(AT_REST);
});
