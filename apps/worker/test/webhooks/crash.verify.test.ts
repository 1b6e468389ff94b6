import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { killChildWorkers, startChildWorker } from '../child-worker.ts';
import { openHookStage, type HookStage } from './hook-stage.ts';
import type { Answer } from './receiver.ts';

/** Two processes start on a busy machine. */
const LIMIT_MS = 300_000;

/** The first request is never answered: its sender dies before it can store an outcome. */
const answerSecond: Answer = (response, index) => {
  if (index > 0) response.end();
};

let stage: HookStage;
beforeAll(async () => {
  stage = await openHookStage();
});
afterEach(killChildWorkers);
afterAll(() => stage.close());

test(
  'a webhook whose sender is killed after the request is sent again, with the same id and bytes',
  { timeout: LIMIT_MS },
  async () => {
    const receiver = await stage.receiver({ answer: answerSecond });
    const endpoint = await stage.endpoint({ url: receiver.url, events: ['call.ended'] });
    const callId = await stage.place('+12025550100');
    await stage.end(callId);
    const environment = { ...stage.environment(stage.hookEnvironment), OUTDIAL_WORKER_ROLES: 'webhooks' };
    const doomed = startChildWorker(environment);
    await receiver.until(1);
    doomed.signal('SIGKILL');
    await doomed.exited();
    expect(await stage.deliveriesTo(endpoint)).toMatchObject([{ state: 'pending', attempts: 1 }]);

    // The claim of the dead worker expires.
    await stage.database.side.$executeRaw`
    UPDATE webhook_deliveries SET due_at = clock_timestamp(), claimed_until = clock_timestamp()
    WHERE endpoint_id = ${endpoint.id}::uuid`;
    const next = startChildWorker(environment);
    const [first, second] = await receiver.until(2);
    expect({ id: second?.id, body: second?.body }).toEqual({ id: first?.id, body: first?.body });
    await expect.poll(() => stage.deliveriesTo(endpoint)).toMatchObject([{ state: 'delivered', attempts: 2 }]);
    next.signal('SIGTERM');
    expect(await next.exited()).toBe(0);
  },
);
