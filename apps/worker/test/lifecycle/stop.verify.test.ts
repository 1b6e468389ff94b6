import { privatePostgres, privateRedis, type PrivateServer } from '@outdial/testkit';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { killChildWorkers, startChildWorker } from '../child-worker.ts';
import { openStage, type Stage } from '../stage.ts';

const SILENT = '+12025550108';

/** Far more than a shutdown takes, and far less than the drain of a worker that waits for it. */
const GUARD_MS = 120_000;
const LONG_DRAIN = '3600';

let closers: (() => Promise<unknown>)[];
let servers: readonly PrivateServer[];
let stage: Stage;
beforeEach(async () => {
  closers = [];
  servers = await Promise.all([owned(privateRedis()), owned(privatePostgres())]);
  const [redisUrl = '', databaseUrl = ''] = servers.map(({ url }) => url);
  stage = await owned(openStage({ stores: { redisUrl, databaseUrl } }));
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
  'with both stores %s an idle worker stops at once, and one with live calls at its limit',
  { timeout: GUARD_MS },
  async (_, lose, restore) => {
    const busy = await startWorker('1');
    const callIds = [await stage.place(SILENT), await stage.place(SILENT)];
    for (const callId of callIds) await stage.until(callId, 'in_progress');
    const idle = await startWorker(LONG_DRAIN);
    for (const server of servers) await lose(server);
    for (const worker of [idle, busy]) worker.signal('SIGTERM');
    for (const worker of [idle, busy]) expect(await worker.exited()).toBe(0);
    for (const server of servers) await restore(server);
  },
);
