import { createAdministration } from '@outdial/persistence';
import { createOperationSignals } from '@outdial/queue';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { AT_REST, audit } from '../audit.ts';
import { QUICK_LOOPS } from '../quick-timings.ts';
import { openStage, type Stage } from '../stage.ts';

const SILENT = '+12025550108';
const REAL_TIME = { OUTDIAL_SIMULATED_MEDIA: 'off', OUTDIAL_SIMULATED_SPEED: '1' };

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterEach(() => stage.stopWorkers());
afterAll(() => stage.close());

const workers = () => createAdministration(stage.database, { actor: 'test' }).workers;

async function onlyWorker() {
  await expect.poll(async () => (await workers().list()).length).toBe(1);
  const [worker] = await workers().list();
  if (!worker) throw new Error('there is no worker');
  return worker;
}
const states = async () => (await workers().list()).map(({ state }) => state);

test('a worker is listed with its calls while it runs, and not after it has stopped', async () => {
  await stage.startWorker({ ...REAL_TIME, OUTDIAL_WORKER_CONCURRENCY: '7' });
  const callId = await stage.place(SILENT);
  await stage.until(callId, 'in_progress');
  await expect.poll(async () => (await onlyWorker()).liveCalls, { timeout: 20_000 }).toBe(1);
  expect(await onlyWorker()).toMatchObject({
    concurrency: 7,
    state: 'taking',
    version: expect.stringMatching(/^\d/),
    oldestLeaseSeconds: expect.any(Number),
  });
  await stage.end(callId);
  await stage.untilEnded(callId);
  await stage.stopWorkers();
  expect(await workers().list()).toEqual([]);
});

test('a draining worker takes no call, ends none, still reconciles, and can be resumed', async () => {
  await stage.startWorker(REAL_TIME, QUICK_LOOPS);
  const live = await stage.place(SILENT);
  await stage.until(live, 'in_progress');
  const { id: workerId } = await onlyWorker();
  await workers().setDraining({ workerId, draining: true });
  await createOperationSignals({ redis: stage.redis }).publish();
  await expect.poll(states).toEqual(['draining']);
  const [waiting, expired] = [await stage.place(SILENT), await stage.place(SILENT)];
  // Reconciling considers calls that have waited for longer than a healthy queue takes.
  await stage.database.side.$executeRaw`
    UPDATE calls SET created_at = created_at - interval '1 minute', expires_at = clock_timestamp()
    WHERE id = ${expired}::uuid`;
  expect((await stage.untilEnded(expired)).endedReason).toBe('queue_expired');
  expect((await stage.find(waiting)).status).toBe('queued');
  expect((await stage.find(live)).status).toBe('in_progress');
  await stage.end(live);
  await stage.untilEnded(live);
  await expect.poll(states, { timeout: 20_000 }).toEqual(['drained']);
  expect((await stage.find(waiting)).status).toBe('queued');
  await workers().setDraining({ workerId, draining: false });
  await stage.until(waiting, 'in_progress');
  await stage.end(waiting);
  await stage.untilEnded(waiting);
  await expect.poll(() => audit(stage)).toEqual(AT_REST);
});
