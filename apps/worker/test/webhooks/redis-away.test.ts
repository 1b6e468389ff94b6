import { freePort } from '@outdial/testkit';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { killChildWorkers, startChildWorker } from '../child-worker.ts';
import { openHookStage, type HookStage } from './hook-stage.ts';

/** A process starts on a busy machine. */
const LIMIT_MS = 300_000;

let stage: HookStage;
beforeAll(async () => {
  stage = await openHookStage();
});
afterEach(killChildWorkers);
afterAll(() => stage.close());

test(
  'webhooks are sent while Redis is away, also by a worker that starts without it',
  { timeout: LIMIT_MS },
  async () => {
    const receiver = await stage.receiver();
    await stage.endpoint({ url: receiver.url });
    const callId = await stage.place('+12025550100');
    const worker = startChildWorker({
      ...stage.environment(stage.hookEnvironment),
      REDIS_URL: `redis://127.0.0.1:${await freePort()}`,
      OUTDIAL_WORKER_ROLES: 'webhooks',
    });
    await receiver.until(1);
    await worker.said('Redis is away');
    await stage.end(callId);
    await receiver.until(2);
    expect(receiver.received.map(({ parsed }) => parsed.type)).toEqual(['call.queued', 'call.ended']);
    worker.signal('SIGTERM');
    expect(await worker.exited()).toBe(0);
  },
);
