import { privatePostgres, privateRedis, testStores, type PrivateServer, type TestStores } from '@outdial/testkit';
import type { CallId } from '@outdial/contracts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AT_REST, audit } from '../audit.ts';
import { QUICK_RENEWALS } from '../quick-timings.ts';
import { openStage, type Stage } from '../stage.ts';

const SILENT = '+12025550108';
const REAL_TIME = { OUTDIAL_SIMULATED_MEDIA: 'off', OUTDIAL_SIMULATED_SPEED: '1' };

let closers: (() => Promise<unknown>)[];
beforeEach(() => {
  closers = [];
});
afterEach(async () => {
  for (const close of closers.toReversed()) await close();
});

async function owned<Server extends { close(): Promise<void> }>(opening: Promise<Server>): Promise<Server> {
  const server = await opening;
  closers.push(() => server.close());
  return server;
}

async function liveCalls(stage: Stage, count: number): Promise<readonly CallId[]> {
  const callIds = await Promise.all(Array.from({ length: count }, () => stage.place(SILENT)));
  for (const callId of callIds) expect((await stage.until(callId, 'in_progress')).status).toBe('in_progress');
  return callIds;
}

async function untilOpen(stage: Stage): Promise<void> {
  const isOpen = () =>
    stage.gate.state().then(
      (state) => state.open,
      () => false,
    );
  while (!(await isOpen())) await new Promise((resolve) => setTimeout(resolve, 20));
}

async function holdsOf(stage: Stage): Promise<readonly CallId[]> {
  const callIds: CallId[] = [];
  for await (const holds of stage.gate.holds()) callIds.push(...holds.map((hold) => hold.callId));
  return callIds.toSorted();
}

async function endAll(stage: Stage, callIds: readonly CallId[]): Promise<void> {
  for (const callId of callIds) await stage.end(callId);
  for (const callId of callIds) expect((await stage.untilEnded(callId)).endedReason).toBe('hung_up_by_api');
}

describe('Redis', () => {
  let server: PrivateServer;
  let stores: TestStores;
  let stage: Stage;
  beforeAll(async () => {
    server = await privateRedis();
    stores = await testStores();
    stage = await openStage({ stores: { redisUrl: server.url, databaseUrl: stores.databaseUrl } });
  });
  beforeEach(() => stage.startWorker({ ...REAL_TIME, OUTDIAL_WORKER_CONCURRENCY: '3' }, QUICK_RENEWALS));
  afterEach(() => stage.stopWorkers());
  afterAll(async () => {
    await stage.close();
    await stores.close();
    await server.close();
  });

  test('flushed with calls live and waiting: their holds are restored at once, and waiting calls are dialed', async () => {
    const live = await liveCalls(stage, 3);
    const waiting = [await stage.place(SILENT), await stage.place(SILENT)];
    await stage.redis.flushall();
    await untilOpen(stage);
    expect(await holdsOf(stage)).toEqual([...live, ...waiting].toSorted());
    for (const callId of live) expect((await stage.find(callId)).status).toBe('in_progress');
    await endAll(stage, live);
    for (const callId of waiting) await stage.until(callId, 'in_progress');
    await endAll(stage, waiting);
    await expect.poll(() => audit(stage)).toEqual(AT_REST);
  });

  test('restarted empty with live calls: they continue, and new ones are taken', async () => {
    const live = await liveCalls(stage, 2);
    await server.stop();
    await server.start();
    await untilOpen(stage);
    for (const callId of live) expect((await stage.find(callId)).status).toBe('in_progress');
    const later = await liveCalls(stage, 1);
    await endAll(stage, [...live, ...later]);
    await expect.poll(() => audit(stage)).toEqual(AT_REST);
  });

  test('away when calls end: they end, and their holds are released once it is back', async () => {
    const live = await liveCalls(stage, 2);
    await server.stop();
    for (const callId of live) {
      await stage.database.side.$executeRaw`UPDATE calls SET end_requested_at = now() WHERE id = ${callId}::uuid`;
    }
    for (const callId of live) expect((await stage.untilEnded(callId)).endedReason).toBe('hung_up_by_api');
    await server.start();
    await untilOpen(stage);
    await expect.poll(() => audit(stage)).toEqual(AT_REST);
  });
});

describe('Postgres', () => {
  test('restarted with live calls: they continue, are charged in full, and are settled once', async () => {
    const [server, { redisUrl }] = [await owned(privatePostgres()), await owned(testStores())];
    const stage = await owned(openStage({ stores: { redisUrl, databaseUrl: server.url } }));
    await stage.startWorker(REAL_TIME, QUICK_RENEWALS);
    const live = await liveCalls(stage, 3);
    await server.kill();
    await server.start();
    for (const callId of live) expect((await stage.find(callId)).status).toBe('in_progress');
    await endAll(stage, live);
    await expect.poll(() => audit(stage)).toEqual(AT_REST);
  });
});
