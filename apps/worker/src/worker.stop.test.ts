import { privatePostgres, privateRedis, type PrivateServer } from '@outdial/testkit';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { killChildWorkers, startChildWorker } from '../test/child-worker.ts';
import { openStage, type Stage } from '../test/stage.ts';

const SILENT = '+12025550108';

/** Far more than an ending takes, and far less than the drain of a worker that waited for it. */
const GUARD_MS = 120_000;
const LONG_DRAIN = '3600';

let closers: (() => Promise<unknown>)[];
let servers: readonly PrivateServer[];
let stage: Stage;
beforeEach(async () => {
  closers = [];
  const redis = await owned(privateRedis());
  const postgres = await owned(privatePostgres());
  servers = [redis, postgres];
  stage = await owned(openStage({ stores: { redisUrl: redis.url, databaseUrl: postgres.url } }));
});
afterEach(async () => {
  killChildWorkers();
  for (const close of closers.toReversed()) await close();
});

async function owned<Resource extends { close(): Promise<unknown> }>(opening: Promise<Resource>): Promise<Resource> {
  const resource = await opening;
  closers.push(() => resource.close());
  return resource;
}

const LOSSES = [
  ['gone', (server: PrivateServer) => server.kill(), (server: PrivateServer) => server.start()],
  ['hung', (server: PrivateServer) => server.pause(), (server: PrivateServer) => server.resume()],
] as const;

async function startWorker(drainSeconds: string) {
  const settings = {
    OUTDIAL_SIMULATED_SPEED: '1',
    OUTDIAL_SIMULATED_MEDIA: 'off',
    OUTDIAL_DRAIN_SECONDS: drainSeconds,
  };
  const child = startChildWorker(stage.environment(settings));
  await child.said('taking calls');
  return child;
}

test.each(LOSSES)(
  'with both stores %s an idle worker ends at once',
  { timeout: GUARD_MS },
  async (_, lose, restore) => {
    const child = await startWorker(LONG_DRAIN);
    for (const server of servers) await lose(server);
    child.signal('SIGTERM');
    expect(await child.exited()).toBe(0);
    for (const server of servers) await restore(server);
  },
);

test.each(LOSSES)(
  'with both stores %s a worker with live calls ends at its limit',
  { timeout: GUARD_MS },
  async (_, lose, restore) => {
    const child = await startWorker('1');
    const callIds = [await stage.place(SILENT), await stage.place(SILENT)];
    for (const callId of callIds) await stage.until(callId, 'in_progress');
    for (const server of servers) await lose(server);
    child.signal('SIGTERM');
    expect(await child.exited()).toBe(0);
    for (const server of servers) await restore(server);
  },
);
