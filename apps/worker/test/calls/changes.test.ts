import type { CallId } from '@outdial/contracts';
import { createLogger } from '@outdial/kernel';
import { connectForWaiting, subscribeToChangeSignals } from '@outdial/queue';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStage, type Stage } from '../stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(async () => {
  await stage.stopWorkers();
  await stage.close();
});

test('what a worker writes about its calls is announced to their followers', async () => {
  const subscriber = connectForWaiting(stage.redisUrl);
  const heard: CallId[] = [];
  const logger = createLogger({ name: 'test', level: 'silent' });
  await subscribeToChangeSignals({ redis: subscriber, logger, onChanged: (callId) => heard.push(callId) });
  await stage.startWorker({ OUTDIAL_SIMULATED_MEDIA: 'off' });
  const callId = await stage.place('+12025550105');
  await stage.until(callId, 'dialing');
  await expect.poll(() => heard).toContain(callId);
  await stage.untilEnded(callId);
  subscriber.disconnect();
});
