import { SENDER_TIMINGS } from '@outdial/webhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { workerTimings } from '../../src/settings/timings.ts';
import { openHookStage, type HookStage } from './hook-stage.ts';
import type { Answer } from './receiver.ts';

/** The patience with receivers is shorter than the product's. */
const timings = workerTimings({ webhooks: { ...SENDER_TIMINGS, requestTimeoutMs: 500 } });

let stage: HookStage;
beforeAll(async () => {
  stage = await openHookStage();
  await stage.startWorker(stage.hookEnvironment, timings);
});
afterAll(() => stage.close());

/** A response that grows by a byte at a time, and never ends. */
const trickle: Answer = (response) => {
  response.writeHead(200);
  const timer = setInterval(() => void response.write('.'), 50);
  response.once('close', () => clearInterval(timer));
};

test.each<[string, Answer]>([
  ['never answers', () => undefined],
  ['trickles its response', trickle],
])('a request to a receiver that %s ends at its time limit, and is repeated later', async (_what, answer) => {
  const receiver = await stage.receiver({ answer });
  const endpoint = await stage.endpoint({ url: receiver.url, events: ['call.ended'] });
  await stage.place('+12025550101');
  await expect.poll(() => stage.attemptsTo(endpoint)).toMatchObject([{ status: null, error: 'timeout' }]);
  expect(await stage.deliveriesTo(endpoint)).toMatchObject([{ state: 'pending', attempts: 1, triesLeft: 9 }]);
});
