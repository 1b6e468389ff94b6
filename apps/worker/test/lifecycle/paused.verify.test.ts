import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CallId } from '@outdial/contracts';
import { createAdministration } from '@outdial/persistence';
import { createOperationSignals } from '@outdial/queue';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { AT_REST, audit } from '../audit.ts';
import { openStage, type Stage } from '../stage.ts';

const QUICK = '+12025550105';
const SILENT = '+12025550108';
const CALLS = 200;
/** The promise of a pause; the journal has whole milliseconds. */
const BOUND_MS = 1_000 + 1;

let stage: Stage;
let journal: string;
beforeAll(async () => {
  stage = await openStage();
  journal = join(stage.dataDir, 'journal');
});
afterEach(async () => {
  await dialling().set({ paused: false });
  await stage.stopWorkers();
});
afterAll(() => stage.close());

const dialling = () => createAdministration(stage.database, { actor: 'test' }).dialling;

interface Dial {
  readonly callId: string;
  readonly atMs: number;
}

/** Every call that reached the simulated network, from its journal. */
async function dials(): Promise<readonly Dial[]> {
  const lines = (await readFile(journal, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');
  return lines
    .map((line): unknown => JSON.parse(line))
    .filter((entry) => isInvite(entry))
    .map(({ at, call_id: callId }) => ({ callId, atMs: Date.parse(at) }));
}

function isInvite(entry: unknown): entry is { readonly at: string; readonly call_id: string } {
  return typeof entry === 'object' && entry !== null && 'event' in entry && entry.event === 'invite';
}

const startWorker = (env: Readonly<Record<string, string>> = {}) =>
  stage.startWorker({ OUTDIAL_SIMULATED_MEDIA: 'off', OUTDIAL_SIMULATED_JOURNAL: journal, ...env });

test(
  'no worker dials later than a second after a pause; after it each call is dialed once',
  { timeout: 240_000 },
  async () => {
    // Few at once, so that a pause always finds calls that are being claimed and calls that wait.
    for (let count = 0; count < 2; count += 1) await startWorker({ OUTDIAL_WORKER_CONCURRENCY: '6' });
    const callIds: CallId[] = await Promise.all(Array.from({ length: CALLS }, () => stage.place(QUICK)));
    let dialled = 0;
    for (let pauses = 0; pauses < 4; pauses += 1) {
      const enough = dialled + 1 + Math.floor(Math.random() * 30);
      await expect.poll(async () => (await dials()).length, { timeout: 60_000, interval: 3 }).toBeGreaterThan(enough);
      await dialling().set({ paused: true });
      const pausedAtMs = Date.now();
      // Once without the announcement: a worker that misses it still respects the pause.
      if (pauses % 2 === 0) await createOperationSignals({ redis: stage.redis }).publish();
      await sleep(BOUND_MS + 500);
      const late = (await dials()).filter(({ atMs }) => atMs > pausedAtMs + BOUND_MS);
      expect(late).toEqual([]);
      dialled = (await dials()).length;
      expect(dialled).toBeLessThan(CALLS);
      await dialling().set({ paused: false });
      await createOperationSignals({ redis: stage.redis }).publish();
    }
    for (const callId of callIds) expect((await stage.untilEnded(callId)).endedReason).toBe('callee_hangup');
    const times = new Map<string, number>();
    for (const { callId } of await dials()) times.set(callId, (times.get(callId) ?? 0) + 1);
    expect(callIds.map((callId) => times.get(callId))).toEqual(callIds.map(() => 1));
    await expect.poll(() => audit(stage)).toEqual(AT_REST);
  },
);

test('while dialing is paused calls are accepted and wait, live ones continue, and the worker is ready', async () => {
  const worker = await startWorker({ OUTDIAL_SIMULATED_SPEED: '1' });
  const live = await stage.place(SILENT);
  await stage.until(live, 'in_progress');
  await dialling().set({ paused: true });
  const waiting = await stage.place(SILENT);
  const expired = await stage.place(SILENT);
  await stage.database.side.$executeRaw`UPDATE calls SET expires_at = clock_timestamp() WHERE id = ${expired}::uuid`;
  expect(await stage.untilEnded(expired)).toMatchObject({ endedReason: 'queue_expired', costMicros: 0n });
  expect((await stage.find(waiting)).status).toBe('queued');
  expect((await stage.find(live)).status).toBe('in_progress');
  const ready = { started: true, postgres: 'up', redis: 'up', timeline: 'current' };
  expect(await worker.checkReadiness()).toEqual(ready);
  expect(await worker.exposeMetrics()).toContain('outdial_dialling_paused 1');
  await dialling().set({ paused: false });
  await stage.until(waiting, 'in_progress');
  for (const callId of [live, waiting]) await stage.end(callId);
  for (const callId of [live, waiting]) expect((await stage.untilEnded(callId)).endedReason).toBe('hung_up_by_api');
});

test('a worker that starts while dialing is paused dials no call until it resumes', async () => {
  await dialling().set({ paused: true });
  const callId = await stage.place(QUICK);
  await startWorker();
  const expired = await stage.place(QUICK);
  await stage.database.side.$executeRaw`UPDATE calls SET expires_at = clock_timestamp() WHERE id = ${expired}::uuid`;
  // The round that ends this call has also considered the other one.
  await stage.untilEnded(expired);
  expect((await stage.find(callId)).status).toBe('queued');
  await dialling().set({ paused: false });
  expect((await stage.untilEnded(callId)).endedReason).toBe('callee_hangup');
});
